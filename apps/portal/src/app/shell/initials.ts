/** First letters of the first two words; of one word its first two. */
export function initials(name: string) {
  const [first = '', second] = name.split(/[\s._-]+/).filter((word) => word !== '')
  return ((first[0] ?? '') + (second?.[0] ?? first[1] ?? '')).toUpperCase()
}
