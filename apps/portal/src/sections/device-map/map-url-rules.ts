/** Place that the map shows: its centre in degrees, and its zoom level. */
export type Place = { zoom: number; lat: number; lon: number }
/** A part of the world; its west may be east of its east, across the date line. */
export type Box = { north: number; south: number; west: number; east: number }

export const nearest = 18

/** `5.25/46.9480/7.4474` as the address keeps it; nothing for what is no place. */
export function parsePlace(text: string | undefined): Place | undefined {
  const [zoom = Number.NaN, lat = Number.NaN, lon = Number.NaN, ...rest] = (text ?? '')
    .split('/')
    .map((part) => (part === '' ? Number.NaN : Number(part)))
  const fits =
    rest.length === 0 && zoom >= 0 && zoom <= 22 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
  return fits ? { zoom, lat, lon } : undefined
}

export const formatPlace = ({ zoom, lat, lon }: Place) =>
  `${zoom.toFixed(2)}/${lat.toFixed(4)}/${wrapped(lon).toFixed(4)}`

/** A longitude of any copy of the world as the one from -180 to 180. */
export const wrapped = (lon: number) =>
  Math.abs(lon) <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180

/**
 * Box that the server is asked for: a bit more than is in view, on round numbers, so that a small
 * move needs no new request.
 */
export function askedBox({ north, south, west, east }: Box, zoom: number): Box {
  const step = 45 / 2 ** Math.min(15, Math.floor(zoom))
  const whole = east - west >= 360 - 2 * step
  return {
    north: Math.min(90, Math.ceil(north / step) * step),
    south: Math.max(-90, Math.floor(south / step) * step),
    west: whole ? -180 : wrapped(Math.floor(west / step) * step),
    east: whole ? 180 : wrapped(Math.ceil(east / step) * step),
  }
}

/** The box as a search takes its corners. */
export const cornersOf = ({ north, south, west, east }: Box) => ({
  geoBoundsTopLeft: [north, west],
  geoBoundsBottomRight: [south, east],
})

/** Degrees with a dot or a comma; undefined for what is no number within the limit. */
export function degreesOf(text: string, limit: 90 | 180) {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Math.abs(number) <= limit ? number : undefined
}
