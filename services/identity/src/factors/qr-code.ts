import { encode } from 'uqr'

/** QR code as SVG with one path, black on white in light and dark mode, since cameras need the contrast. */
export function qrSvg(text: string, label: string) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const runs = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  // With the namespace it also works as an image file, not only inside a page.
  return `<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${attribute(label)}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${runs.join('')}"/></svg>`
}

const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
