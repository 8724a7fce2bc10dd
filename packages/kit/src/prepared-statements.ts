import pg from 'pg'

const usedBefore = 3
const mostPrepared = 500
const mostCounted = 2_000
const longestText = 8_000
/** What a plan for any value is bad at: patterns, ranges of texts, and lists whose length it cannot know. */
const dependsOnValues = /\blike \$|~[<>]=?~ \$|\bany\(\$|\bin \(\$/

/**
 * Names of statements that are asked again and again, so that PostgreSQL keeps them parsed and, where
 * the values do not matter, planned. At most 500 for a process; a statement is named at its third use.
 */
export function statementNames() {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const unfit = new Set<string>()
  let given = 0

  return {
    /** The name of a statement; undefined for one that is not prepared. */
    nameOf(text: string) {
      const known = names.get(text)
      if (known !== undefined || given >= mostPrepared || unfit.has(text)) return known
      if (text.length > longestText) return undefined
      const count = (counts.get(text) ?? 0) + 1
      counts.delete(text)
      if (count >= usedBefore && !dependsOnValues.test(text)) {
        const name = `s${given}`
        given += 1
        names.set(text, name)
        return name
      }
      counts.set(text, count)
      if (counts.size > mostCounted) counts.delete(counts.keys().next().value as string)
      return undefined
    },
    /** Stop preparing a statement. */
    forget(text: string) {
      names.delete(text)
      unfit.add(text)
    },
  }
}

/**
 * A client that prepares the statements that `names` names. A table that another process changed
 * meanwhile fails a kept statement once ("cached plan must not change result type"): it is then
 * no longer prepared.
 */
export function preparingClient(names: ReturnType<typeof statementNames>) {
  return class PreparingClient extends pg.Client {
    override query(...asked: unknown[]): never {
      const [text, values, ...others] = asked
      const name =
        typeof text === 'string' && Array.isArray(values) && others.length === 0
          ? names.nameOf(text)
          : undefined
      if (name === undefined) return ask(this, asked)
      const answer: Promise<unknown> = ask(this, [{ name, text, values }])
      return answer.catch((error: unknown) => {
        if (hasChangedColumns(error)) names.forget(text as string)
        throw error
      }) as never
    }
  }
}

/** The call of `pg` as it is: its types are overloads for texts, cursors and callbacks. */
const ask = (client: pg.Client, asked: unknown[]) =>
  (pg.Client.prototype.query as (...asked: unknown[]) => never).apply(client, asked)

const hasChangedColumns = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  error.code === '0A000' &&
  error.message.startsWith('cached plan')
