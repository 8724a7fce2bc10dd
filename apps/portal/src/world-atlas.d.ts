// The shapes of the files of world-atlas: without these the compiler makes a type of 750 kB of numbers.

declare module 'world-atlas/countries-50m.json' {
  import type { GeometryCollection, Topology } from 'topojson-specification'

  const world: Topology<{ countries: GeometryCollection<{ name: string }> }>
  export default world
}

declare module 'world-atlas/land-110m.json' {
  import type { MultiPolygon, Topology } from 'topojson-specification'

  const world: Topology<{ land: { type: 'GeometryCollection'; geometries: MultiPolygon[] } }>
  export default world
}
