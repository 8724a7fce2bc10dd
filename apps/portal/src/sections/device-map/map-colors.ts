const names = ['sea', 'land', 'coast', 'border', 'label', 'halo', 'water', 'green', 'road'] as const
export type MapColors = Record<(typeof names)[number], string>

/** The map's colours of the moment, from the style sheet that follows the theme. */
export function mapColors(element: HTMLElement): MapColors {
  const probe = document.createElement('span')
  element.append(probe)
  const colors = Object.fromEntries(names.map((name) => [name, plain(probe, `--map-${name}`)]))
  probe.remove()
  return colors as MapColors // one for each name
}

/** The map takes no mixed colours: a pixel of them is plain red, green and blue. */
function plain(probe: HTMLElement, variable: string) {
  probe.style.color = `var(${variable})`
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return '#888888'
  context.fillStyle = getComputedStyle(probe).color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
