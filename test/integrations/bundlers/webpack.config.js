import { fileURLToPath } from 'node:url'

export default {
  entry: './main.js',
  output: { path: fileURLToPath(new URL('out/webpack', import.meta.url)), filename: 'main.js', publicPath: '/' },
  devServer: { static: './public', hot: true, client: { overlay: false } },
  performance: { hints: false },
}
