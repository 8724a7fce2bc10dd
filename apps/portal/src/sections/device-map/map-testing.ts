import { page } from 'vitest/browser'
import type { Place } from './map-url-rules.ts'

/** The colours of a map as it is seen, by latitude and longitude; it looks at `place`. */
export async function pixels(map: HTMLElement, place: Place) {
  const base64 = await page.elementLocator(map).screenshot({ save: false })
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  const { width, height } = map.getBoundingClientRect()
  const world = 512 * 2 ** place.zoom
  const down = (lat: number) =>
    (Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * world
  return (lat: number, lon: number) => {
    const x = (width / 2 + ((lon - place.lon) / 360) * world) * (image.width / width)
    const y = (height / 2 - (down(lat) - down(place.lat))) * (image.height / height)
    const [red, green, blue] = context.getImageData(Math.round(x), Math.round(y), 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
}

const headBytes = 127

/** An archive of tiles (PMTiles 3) that holds one picture of the whole world. */
export function archiveOf(picture: Uint8Array) {
  const directory = [1, 0, 1, ...varint(picture.length), 1]
  const metadata = [...new TextEncoder().encode('{}')]
  const bytes = new Uint8Array(headBytes + directory.length + metadata.length + picture.length)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('PMTiles'))
  const tiles = headBytes + directory.length + metadata.length
  const places = [
    [headBytes, directory.length],
    [headBytes + directory.length, metadata.length],
    [tiles, 0],
    [tiles, picture.length],
    [1, 1],
    [1],
  ]
  for (const [place, number] of places.flat().entries())
    view.setBigUint64(8 + 8 * place, BigInt(number), true)
  // Version; clustered, nothing compressed, PNG, one level.
  bytes[7] = 3
  bytes.set([1, 1, 1, 2, 0, 0], 96)
  for (const [place, degrees] of [-180, -85, 180, 85].entries())
    view.setInt32(102 + 4 * place, degrees * 1e7, true)
  bytes.set([...directory, ...metadata], headBytes)
  bytes.set(picture, tiles)
  return bytes
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))]
}

/** A tile of one colour. */
export async function pictureOf(color: string) {
  const canvas = new OffscreenCanvas(256, 256)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = color
  context.fillRect(0, 0, 256, 256)
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
}
