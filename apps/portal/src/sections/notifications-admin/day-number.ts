const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Number of a day of the week, Sunday is 0, from its number or its English name, as clients post it. */
export function dayNumber(day: string | number) {
  const text = String(day).trim().toLowerCase()
  if (/^[0-6]$/.test(text)) return Number(text)
  const place = names.findIndex((name) => name === text || name.slice(0, 3) === text)
  return place === -1 ? undefined : place
}
