// Small projects as the starters of the frameworks make them, for the tests of `tool-agent init`. Their packages have exact
// versions, so that the long run can install them.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Framework } from '../../../cli/init/project.js'

/** The text of each file, by its path. */
export type Files = Readonly<Record<string, string>>

interface Packages {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
const packageJson = (packages: Packages) => json({ name: 'shop', private: true, type: 'module', ...packages })
const page = (body: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" href="data:," />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>Shop</title>
  </head>
  <body>
${body}
  </body>
</html>
`
const viteTypes = (included: readonly string[], more: object = {}) =>
  json({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: ['vite/client', ...(included.length > 1 ? ['node'] : [])],
      strict: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
      noEmit: true,
      ...more,
    },
    include: included,
  })
const vite = '8.3.8'
const node = '20.19.43'
/** Starters with a configuration in TypeScript check it, too, and have the types of Node. */
const all = ['src', 'vite.config.ts']

/** An empty project of each framework. */
export const projects: Readonly<Record<Framework, Files>> = {
  html: { 'index.html': page('    <h1>Shop</h1>'), '.gitignore': 'node_modules\n.env\n' },
  vite: {
    'package.json': packageJson({ devDependencies: { typescript: '6.0.3', vite } }),
    'index.html': page('    <div id="app"></div>\n    <script type="module" src="/src/main.ts"></script>'),
    'src/main.ts': "document.querySelector<HTMLDivElement>('#app')!.textContent = 'Shop'\n",
    'tsconfig.json': viteTypes(['src']),
  },
  react: {
    'package.json': packageJson({
      dependencies: { react: '19.3.1', 'react-dom': '19.3.1' },
      devDependencies: {
        '@types/node': node,
        '@types/react': '19.3.0',
        '@types/react-dom': '19.3.0',
        '@vitejs/plugin-react': '6.3.0',
        typescript: '6.0.3',
        vite,
      },
    }),
    'index.html': page('    <div id="root"></div>\n    <script type="module" src="/src/main.tsx"></script>'),
    'src/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
`,
    'src/App.tsx': 'export default function App() {\n  return <h1>Shop</h1>\n}\n',
    'vite.config.ts': `import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],
})
`,
    'tsconfig.json': viteTypes(all, { jsx: 'react-jsx', allowImportingTsExtensions: true }),
  },
  vue: {
    'package.json': packageJson({
      dependencies: { vue: '3.5.45' },
      devDependencies: {
        '@types/node': node,
        '@vitejs/plugin-vue': '6.0.11',
        typescript: '5.9.3',
        vite,
        'vue-tsc': '3.3.14',
      },
    }),
    'index.html': page('    <div id="app"></div>\n    <script type="module" src="/src/main.ts"></script>'),
    'src/main.ts': "import { createApp } from 'vue'\nimport App from './App.vue'\n\ncreateApp(App).mount('#app')\n",
    'src/App.vue': `<script setup lang="ts">
import Shop from './components/Shop.vue'
</script>

<template>
  <Shop />
</template>
`,
    'src/components/Shop.vue': '<template>\n  <h1>Shop</h1>\n</template>\n',
    'vite.config.ts': `import { defineConfig } from 'vite'
import vue from '@vitejs/plugin-vue'

// https://vite.dev/config/
export default defineConfig({
  plugins: [vue()],
})
`,
    'tsconfig.json': viteTypes(all),
  },
  svelte: {
    'package.json': packageJson({
      devDependencies: {
        '@sveltejs/vite-plugin-svelte': '7.3.1',
        '@types/node': node,
        svelte: '5.57.3',
        'svelte-check': '4.7.8',
        typescript: '5.9.3',
        vite,
      },
    }),
    'index.html': page('    <div id="app"></div>\n    <script type="module" src="/src/main.ts"></script>'),
    'src/main.ts':
      "import { mount } from 'svelte'\nimport App from './App.svelte'\n\nexport default mount(App, { target: document.getElementById('app')! })\n",
    'src/App.svelte': `<script lang="ts">
  import Shop from './lib/Shop.svelte'
</script>

<main>
  <Shop />
</main>

<style>
  main {
    padding: 1em;
  }
</style>
`,
    'src/lib/Shop.svelte': '<script lang="ts">\n  const name = \'Shop\'\n</script>\n\n<h1>{name}</h1>\n',
    'vite.config.ts': `import { defineConfig } from 'vite'
import { svelte } from '@sveltejs/vite-plugin-svelte'

// https://vite.dev/config/
export default defineConfig({
  plugins: [svelte()],
})
`,
    'tsconfig.json': viteTypes(all),
  },
  next: {
    'package.json': json({
      name: 'shop',
      private: true,
      dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
      devDependencies: {
        '@types/node': node,
        '@types/react': '19.3.0',
        '@types/react-dom': '19.3.0',
        typescript: '5.9.3',
      },
    }),
    'app/layout.tsx': `import type { Metadata } from "next";

export const metadata: Metadata = {
  title: "Shop",
  icons: { icon: "data:," },
};

export default function RootLayout({
  children,
}: Readonly<{
  children: React.ReactNode;
}>) {
  return (
    <html lang="en">
      <body className="antialiased">
        {children}
      </body>
    </html>
  );
}
`,
    'app/page.tsx': 'export default function Home() {\n  return <h1>Shop</h1>;\n}\n',
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2017',
        lib: ['dom', 'dom.iterable', 'esnext'],
        allowJs: true,
        skipLibCheck: true,
        strict: true,
        noEmit: true,
        esModuleInterop: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        resolveJsonModule: true,
        isolatedModules: true,
        jsx: 'react-jsx',
        incremental: true,
        plugins: [{ name: 'next' }],
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
      exclude: ['node_modules'],
    }),
  },
  angular: {
    'package.json': json({
      name: 'shop',
      private: true,
      dependencies: {
        '@angular/common': '21.2.26',
        '@angular/compiler': '21.2.26',
        '@angular/core': '21.2.26',
        '@angular/platform-browser': '21.2.26',
        rxjs: '7.8.2',
        tslib: '2.8.1',
      },
      devDependencies: {
        '@angular/build': '21.2.27',
        '@angular/cli': '21.2.27',
        '@angular/compiler-cli': '21.2.26',
        typescript: '5.9.3',
      },
    }),
    'angular.json': json({
      $schema: './node_modules/@angular/cli/lib/config/schema.json',
      version: 1,
      cli: { analytics: false },
      projects: {
        shop: {
          projectType: 'application',
          root: '',
          sourceRoot: 'src',
          architect: {
            build: {
              builder: '@angular/build:application',
              options: {
                browser: 'src/main.ts',
                index: 'src/index.html',
                tsConfig: 'tsconfig.json',
                assets: [{ glob: '**/*', input: 'public' }],
              },
              configurations: { production: {}, development: { optimization: false, sourceMap: true } },
              defaultConfiguration: 'production',
            },
            serve: {
              builder: '@angular/build:dev-server',
              options: { buildTarget: 'shop:build:development' },
            },
          },
        },
      },
    }),
    'src/index.html': page('    <app-root></app-root>').replace('<meta name', '<base href="/" />\n    <meta name'),
    'src/main.ts': `import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app/app';

bootstrapApplication(App).catch((err) => console.error(err));
`,
    'src/app/app.ts': `import { Component, signal } from '@angular/core';
import { Shop } from './shop';

@Component({
  selector: 'app-root',
  imports: [Shop],
  templateUrl: './app.html',
})
export class App {
  protected readonly title = signal('Shop');
}
`,
    'src/app/app.html': '<h1>{{ title() }}</h1>\n<app-shop />\n',
    'src/app/shop.ts': `import { Component } from '@angular/core';

@Component({ selector: 'app-shop', template: '<p>Tea</p>' })
export class Shop {}
`,
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2022',
        module: 'preserve',
        moduleResolution: 'bundler',
        lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
        types: [],
        strict: true,
        noPropertyAccessFromIndexSignature: true,
        noImplicitOverride: true,
        experimentalDecorators: true,
        isolatedModules: true,
        skipLibCheck: true,
        importHelpers: true,
      },
      angularCompilerOptions: { strictTemplates: true },
      files: ['src/main.ts'],
    }),
  },
  nuxt: {
    'package.json': packageJson({
      dependencies: { nuxt: '4.2.2', vue: '3.5.45' },
      devDependencies: { typescript: '5.9.3', 'vue-tsc': '3.3.14' },
    }),
    'nuxt.config.ts': `export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  devtools: { enabled: false },
  telemetry: false,
  app: { head: { title: 'Shop', link: [{ rel: 'icon', href: 'data:,' }] } },
})
`,
    'app/app.vue': '<template>\n  <div>\n    <h1>Shop</h1>\n  </div>\n</template>\n',
    'tsconfig.json': json({ files: [], references: [{ path: './.nuxt/tsconfig.app.json' }] }),
  },
  astro: {
    'package.json': packageJson({
      dependencies: { astro: '5.9.4' },
      devDependencies: { '@astrojs/check': '0.9.9', typescript: '5.9.3' },
    }),
    'astro.config.mjs': `// @ts-check
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({});
`,
    'src/layouts/Layout.astro': page('    <slot />'),
    'src/pages/index.astro': `---
import Layout from '../layouts/Layout.astro';
---

<Layout>
  <h1>Shop</h1>
</Layout>
`,
    'tsconfig.json': json({
      extends: 'astro/tsconfigs/strict',
      include: ['.astro/types.d.ts', '**/*'],
      exclude: ['dist'],
    }),
  },
}

/** Writes the files into a new temporary folder, and returns it. */
export function projectFolder(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-init-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Packages, and what builds and development servers write, at any time. */
const writtenByFrameworks = /^(?:node_modules|dist|\.(?:next|nuxt|output|astro|angular|svelte-kit))(?:\/|$)/

/** Every file of a folder with its text; empty folders have a name that ends with a slash. */
export function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const entries = names.flatMap((entry): [string, string][] => {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    if (writtenByFrameworks.test(name)) return []
    if (!entry.isDirectory()) return [[name, readFileSync(path, 'utf8')]]
    return readdirSync(path).length === 0 ? [[`${name}/`, '']] : []
  })
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
