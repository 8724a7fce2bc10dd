/** Names of an installation's subjects on a wire that others may use too. */
export const placeOf = (instance: string) => {
  const prefix = `lr.${instance}.`
  return {
    one({ subject }: { subject: string }) {
      if (subject.includes(':')) throw new Error(`${subject} is a family: use subjectAt`)
      return prefix + subject
    },
    /** Pattern of a family: `*` stands for each part that it leaves open. */
    pattern: ({ subject }: { subject: string }) => prefix + subject.replaceAll(/:[\w-]+/g, '*'),
    /** Open parts of a family, read from the name of one of its subjects. */
    partsOf({ subject: family }: { subject: string }) {
      const open = family
        .split('.')
        .flatMap((part, index) =>
          part.startsWith(':') ? [[part.slice(1), index + 2] as const] : [],
        )
      return (name: string): Record<string, string> => {
        if (open.length === 0) return {}
        const parts = name.split('.')
        return Object.fromEntries(open.map(([key, index]) => [key, parts[index] ?? '']))
      }
    },
  }
}
export type FabricPlace = ReturnType<typeof placeOf>

/** Check of names against a pattern in which `*` stands for one part. */
export function matcherOf(pattern: string) {
  const wanted = pattern.split('.')
  return (name: string) => {
    const parts = name.split('.')
    return (
      parts.length === wanted.length &&
      wanted.every((part, index) => part === '*' || part === parts[index])
    )
  }
}
