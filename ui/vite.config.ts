import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// What is built goes into the Python package; the house serves it under /assets.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: '../src/pitboss/web/static', emptyOutDir: true, target: 'es2022' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8639', ws: true } } },
})
