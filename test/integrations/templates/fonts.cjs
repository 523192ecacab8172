// What Google would answer to the starter of Next.js, which loads its fonts while it builds.
const face = (family) => `@font-face { font-family: '${family}'; font-style: normal; font-weight: 100 900; src: local('Arial') }`
const address = (family) =>
  `https://fonts.googleapis.com/css2?family=${family.replaceAll(' ', '+')}:wght@100..900&display=swap`

module.exports = Object.fromEntries(['Geist', 'Geist Mono'].map((family) => [address(family), face(family)]))
