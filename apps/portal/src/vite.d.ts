/// <reference types="vite/client" />

/** The build for pages that allow no scripts made on the fly; its worker is a file of its own. */
declare module 'maplibre-gl/dist/maplibre-gl-csp.js' {
  export * from 'maplibre-gl'
}
