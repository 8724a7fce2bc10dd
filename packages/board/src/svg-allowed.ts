const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements of SVG that draw: none that runs, links outwards, animates or holds other languages. */
export const svgElements = words(`
  svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan
  textPath image a marker pattern mask clipPath linearGradient radialGradient stop filter feBlend
  feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile feTurbulence`)

/** Properties that may stand in attributes and in styles. */
export const svgProperties = words(`
  alignment-baseline baseline-shift clip-path clip-rule color color-interpolation
  color-interpolation-filters cursor direction display dominant-baseline fill fill-opacity fill-rule
  filter flood-color flood-opacity font-family font-size font-stretch font-style font-variant
  font-weight isolation letter-spacing lighting-color line-height marker marker-end marker-mid
  marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events
  shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
  text-rendering transform transform-box transform-origin unicode-bidi vector-effect visibility
  white-space word-spacing writing-mode`)

/** Other attributes; `href` has rules of its own, and so has `style`. */
export const svgAttributes = words(`
  id class x y x1 x2 y1 y2 dx dy cx cy r rx ry fx fy fr d points width height viewBox
  preserveAspectRatio rotate textLength lengthAdjust startOffset method spacing side pathLength offset
  gradientTransform gradientUnits spreadMethod patternUnits patternContentUnits patternTransform
  maskUnits maskContentUnits clipPathUnits filterUnits primitiveUnits markerUnits markerWidth
  markerHeight refX refY orient in in2 result mode operator k1 k2 k3 k4 type values tableValues slope
  intercept amplitude exponent stdDeviation edgeMode radius baseFrequency numOctaves seed stitchTiles
  version role lang`)

/** Value of a property or attribute that names nothing outside: functions of CSS but `url(#id)` are few. */
export function isSafeSvgValue(value: string) {
  if (/[\\@<>{}]|\/\*|expression|javascript:/i.test(value)) return false
  const inside = value.replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, '')
  return !/url|image|element\(|cross-fade|import|src\(|var\(|env\(|attr\(/i.test(inside)
}

/** Link that stays in the drawing: `#id`. */
export const isSvgFragment = (href: string) => /^#[\w.:-]+$/.test(href)

/** Picture that is part of the drawing: PNG, JPEG, WebP or GIF in base64. */
export const isSvgDataPicture = (href: string) =>
  /^data:image\/(png|jpeg|jpg|webp|gif);base64,[A-Za-z0-9+/\s]+={0,2}\s*$/.test(href)
