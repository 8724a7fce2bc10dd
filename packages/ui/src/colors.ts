/** Ten steps from near white to near black, as Mantine wants a colour. */
type Ramp = [string, string, string, string, string, string, string, string, string, string]

type Rgb = readonly [number, number, number]

const white: Rgb = [255, 255, 255]
const ink: Rgb = [11, 15, 25]
/** Share of white in the light steps 0–5, of ink in the dark ones 7–9. */
const light = [0.93, 0.84, 0.68, 0.5, 0.3, 0.14]
const dark = [0.16, 0.32, 0.48]

/**
 * A ramp from one brand colour. Step 6 is the colour itself, darkened until white text on it
 * reaches 4.5:1 (WCAG 2.2 AA).
 */
export function rampOf(hex: string): Ramp {
  const brand = readable(parseHex(hex))
  return [
    ...light.map((share) => mix(brand, white, share)),
    brand,
    ...dark.map((share) => mix(brand, ink, share)),
  ].map(toHex) as Ramp // 6 + 1 + 3 steps
}

/** Contrast ratio of two colours as WCAG 2 defines it, 1 to 21. */
function contrast(a: string, b: string) {
  const [lighter = 0, darker = 0] = [luminance(parseHex(a)), luminance(parseHex(b))].toSorted(
    (x, y) => y - x,
  )
  return (lighter + 0.05) / (darker + 0.05)
}

function readable(color: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, ink, share)
    if (contrast(toHex(candidate), '#ffffff') >= 4.5) return candidate
  }
  return ink
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  [0, 1, 2].map((i) => (a[i] ?? 0) * (1 - share) + (b[i] ?? 0) * share) as unknown as Rgb // three channels

const luminance = (color: Rgb) => {
  const [r = 0, g = 0, b = 0] = color.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** `#1c6fd4` or `#17d`; anything else reads as black. */
function parseHex(hex: string): Rgb {
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(hex) ?? []
  if (digits === undefined) return [0, 0, 0]
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const value = Number.parseInt(long, 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const toHex = (color: Rgb) =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
