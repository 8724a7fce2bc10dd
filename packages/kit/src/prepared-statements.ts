import pg from 'pg'
import { createRecentValues } from './recent-values.ts'

const usedBefore = 3
const mostPrepared = 500
const mostCounted = 2_000
const longestText = 8_000
/**
 * SQL for which a plan without values is bad: patterns, text ranges and lists of unknown length.
 */
const dependsOnValues = /\blike \$|~[<>]=?~ \$|\bany\(\$|\bin \(\$/

/**
 * Names for statements that are repeated, so that PostgreSQL keeps them parsed and, when values do
 * not matter, planned. At most 500 in a process; a statement gets a name at its third use.
 */
export function statementNames() {
  const names = new Map<string, string>()
  const counts = createRecentValues<string, number>(mostCounted)
  const unfit = new Set<string>()
  let given = 0

  return {
    /** Name of a statement; undefined when it is not prepared. */
    nameOf(text: string) {
      const known = names.get(text)
      if (known !== undefined || given >= mostPrepared || unfit.has(text)) return known
      if (text.length > longestText) return undefined
      const count = (counts.get(text) ?? 0) + 1
      if (count >= usedBefore && !dependsOnValues.test(text)) {
        const name = `s${given}`
        given += 1
        counts.delete(text)
        names.set(text, name)
        return name
      }
      counts.set(text, count)
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
 * Database client that prepares the statements that `names` names, and sends a commit without waiting for the
 * answer to the statement before it, where the caller does not wait either. After a table changed in another
 * process a prepared statement fails once ("cached plan must not change result type") and is not
 * prepared again.
 */
export function preparingClient(names: ReturnType<typeof statementNames>) {
  return class PreparingClient extends pg.Client {
    override query(...asked: unknown[]): never {
      const [text, values, ...others] = asked
      const name =
        typeof text === 'string' && Array.isArray(values) && others.length === 0
          ? names.nameOf(text)
          : undefined
      const isCommit = text === 'commit'
      if (name === undefined) return isCommit ? askAtOnce(this, asked) : ask(this, asked)
      const prepared = [{ name, text, values }]
      const answer: Promise<unknown> = isCommit ? askAtOnce(this, prepared) : ask(this, prepared)
      return answer.catch((error: unknown) => {
        if (hasChangedColumns(error)) names.forget(text as string)
        throw error
      }) as never
    }
  }
}

/** Untyped query call of `pg`, whose types are overloads for texts, cursors and callbacks. */
const ask = (client: pg.Client, asked: unknown[]) =>
  (pg.Client.prototype.query as (...asked: unknown[]) => never).apply(client, asked)

/**
 * Query that is sent at once. The client looks at its setting `pipeline` at each query and each answer. It is not
 * set from the beginning, as `pg` refuses queries of other classes then, such as those that read a COPY.
 */
function askAtOnce(client: pg.Client, asked: unknown[]): never {
  const setting = client as { pipeline: boolean } // read-only for others
  setting.pipeline = true
  const answer: Promise<unknown> = ask(client, asked)
  return answer.finally(() => (setting.pipeline = false)) as never
}

const hasChangedColumns = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  error.code === '0A000' &&
  error.message.startsWith('cached plan')
