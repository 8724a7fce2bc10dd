type Place = readonly number[]

/** A line over the date line goes on past 180°, instead of back across the whole world. */
export function overDateLine(line: readonly Place[]): number[][] {
  let shift = 0
  return line.map(([x = 0, y = 0], place) => {
    const step = x - (line[place - 1]?.[0] ?? x)
    if (step > 180) shift -= 360
    if (step < -180) shift += 360
    return [x + shift, y]
  })
}

/** A ring of land; one around a pole is closed along the edge of the map. */
export function closedRing(ring: readonly Place[]): number[][] {
  const line = overDateLine(ring)
  const [[from = 0, y = 0] = [], [to = 0] = []] = [line[0], line.at(-1)]
  if (Math.abs(to - from) < 180) return line
  const pole = y < 0 ? -90 : 90
  return [...line, [to, pole], [from, pole], [from, y]]
}
