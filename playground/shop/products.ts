// What the shop sells. Prices in euros.

export type Category = 'pots' | 'cups' | 'kettles' | 'tea' | 'extras'
export interface Product {
  readonly id: string
  readonly name: string
  readonly category: Category
  readonly price: number
  readonly short: string
  readonly text: string
  /** File name in `art/`, without its ending. */
  readonly art: string
}

export const categories: ReadonlyMap<Category, string> = new Map([
  ['pots', 'Teapots'],
  ['cups', 'Cups'],
  ['kettles', 'Kettles'],
  ['tea', 'Tea'],
  ['extras', 'Extras'],
])

export const products: readonly Product[] = [
  {
    id: 'pot-kyoto',
    name: 'Kyoto teapot',
    category: 'pots',
    price: 64,
    short: 'Cast iron, 0.8 l',
    art: 'pot-iron',
    text: 'A cast-iron teapot that keeps tea warm for an hour. With a steel sieve that lifts out.',
  },
  {
    id: 'pot-betty',
    name: 'Brown Betty teapot',
    category: 'pots',
    price: 29,
    short: 'Red clay, 1.1 l',
    art: 'pot-clay',
    text: 'The round English teapot of red Staffordshire clay. The leaves have room to move.',
  },
  {
    id: 'pot-glass',
    name: 'Glass teapot',
    category: 'pots',
    price: 38,
    short: 'Borosilicate, 0.6 l',
    art: 'pot-glass',
    text: 'For teas that are worth watching. Holds boiling water, goes into the dishwasher.',
  },
  {
    id: 'cup-celadon',
    name: 'Celadon cup',
    category: 'cups',
    price: 14,
    short: 'Stoneware, 180 ml',
    art: 'cup',
    text: 'Thin green glaze over stoneware, thrown by hand. No two are quite the same.',
  },
  {
    id: 'cup-travel',
    name: 'Travel cup',
    category: 'cups',
    price: 22,
    short: 'Steel, 350 ml',
    art: 'cup-travel',
    text: 'Two walls of steel, a lid that does not drip and room for a sieve.',
  },
  {
    id: 'kettle-goose',
    name: 'Gooseneck kettle',
    category: 'kettles',
    price: 89,
    short: 'Electric, 60 to 100 °C',
    art: 'kettle',
    text: 'Sets the temperature to the degree and pours where you point it.',
  },
  {
    id: 'kettle-hob',
    name: 'Hob kettle',
    category: 'kettles',
    price: 54,
    short: 'Enamel, 1.6 l',
    art: 'kettle-hob',
    text: 'Enamelled steel for every hob, with a whistle that can be switched off.',
  },
  {
    id: 'tea-sencha',
    name: 'Sencha green tea',
    category: 'tea',
    price: 16.5,
    short: 'Shizuoka, 100 g',
    art: 'tin-green',
    text: 'First harvest, steamed. Fresh, a little of the sea, never bitter below 75 °C.',
  },
  {
    id: 'tea-assam',
    name: 'Assam black tea',
    category: 'tea',
    price: 11.9,
    short: 'Second flush, 100 g',
    art: 'tin-red',
    text: 'Malty and strong enough for milk. From one garden on the Brahmaputra.',
  },
  {
    id: 'tea-mint',
    name: 'Moroccan mint',
    category: 'tea',
    price: 9.5,
    short: 'Gunpowder and nana mint, 80 g',
    art: 'tin-mint',
    text: 'Rolled green tea and dried mint. Takes sugar well.',
  },
  {
    id: 'whisk-matcha',
    name: 'Bamboo whisk',
    category: 'extras',
    price: 19,
    short: '100 bristles',
    art: 'whisk',
    text: 'Split by hand from one piece of bamboo. For matcha without lumps.',
  },
  {
    id: 'sieve-fine',
    name: 'Fine tea sieve',
    category: 'extras',
    price: 8,
    short: 'Steel, for cups and pots',
    art: 'sieve',
    text: 'So fine that even rooibos stays inside.',
  },
]

export function productOf(id: string): Product | undefined {
  return products.find((product) => product.id === id)
}

/** Products whose words hold every word of the text, best first. An empty text finds all. */
export function findProducts(text: string, maxPrice = Infinity): Product[] {
  const words =
    text
      .toLowerCase()
      .match(/[\p{L}\d]+/gu)
      ?.map((word) => word.replace(/s$/, '')) ?? []
  const scored = products
    .filter(({ price }) => price <= maxPrice)
    .map((product) => {
      const name = product.name.toLowerCase()
      const all = `${name} ${categories.get(product.category)} ${product.short} ${product.text}`.toLowerCase()
      const hits = words.map((word): number => {
        if (name.includes(word)) return 3
        return all.includes(word) ? 1 : 0
      })
      return { product, score: hits.includes(0) ? 0 : hits.reduce((sum, hit) => sum + hit, 1) }
    })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ product }) => product)
}

export function euros(amount: number): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount)
}
