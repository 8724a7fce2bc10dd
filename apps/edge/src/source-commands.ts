import type { Logger } from 'pino'
import { CommandFault } from './command-fault.ts'
import { messageOf } from './retry.ts'
import type { RunningSources } from './running-sources.ts'
import { saveSources, previousSources, type SourceList } from './source-file.ts'
import { checkSources, SourceConnection, type SourceSettings } from './source-settings.ts'

type Options = {
  dir: string
  list: SourceList
  running: RunningSources
  /** Allows remote changes of the list. */
  configure: boolean
  log: Logger
}
type Raw = Record<string, unknown>

/**
 * Commands for the list of sources: a new list is validated as a whole, stored, and then applied.
 */
export function createSourceCommands({ dir, list: first, running, configure, log }: Options) {
  let list = first
  let turn: Promise<unknown> = Promise.resolve()

  async function change(version: number, make: () => unknown[]) {
    if (!configure) {
      throw new CommandFault(
        'not_possible',
        'this agent does not let its sources be changed from afar; its own settings say remote.configure: false',
      )
    }
    if (version !== list.version) {
      throw new CommandFault(
        'conflict',
        'the sources were changed by somebody else in the meantime; look at them again',
      )
    }
    const checked = checkSources(make())
    if (!checked.ok) throw new CommandFault('invalid', checked.message, checked.field)
    const next = { version: list.version + 1, at: Date.now(), sources: checked.sources }
    try {
      saveSources(dir, next, list)
    } catch (error) {
      throw new CommandFault('failed', `the gateway's disk does not take it: ${messageOf(error)}`)
    }
    list = next
    await running.replace(next.sources)
    log.info({ version: next.version }, 'the sources were changed from afar')
    return read()
  }
  /** Runs one change after the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined) // the caller gets the error
    return mine
  }
  const read = () => {
    const health = running.health()
    return {
      version: list.version,
      changedAt: list.version === 0 ? null : list.at,
      canRestore: previousSources(dir) !== undefined,
      configure,
      sources: list.sources.map((source) => ({
        source: withoutSecrets(source),
        hasPassword: 'password' in source && source.password !== undefined,
        health: health.find(({ name }) => name === source.name) ?? null,
      })),
    }
  }

  return {
    read,
    save: (version: number, source: Raw, replaces: string | undefined) =>
      inTurn(() => change(version, () => withSource(list.sources, source, replaces))),
    remove: (version: number, name: string) =>
      inTurn(() => change(version, () => withoutSource(list.sources, name))),
    restore: (version: number) =>
      inTurn(() =>
        change(version, () => {
          const kept = previousSources(dir)
          if (kept) return kept.sources
          throw new CommandFault('not_possible', 'there is no version before this one')
        }),
      ),
    /** Source as it would be saved, for a test or for browsing; its tags may be missing. */
    connection(source: Raw, replaces: string | undefined): SourceConnection {
      const parsed = SourceConnection.safeParse(
        withSecrets(source, findSource(list.sources, replaces)),
      )
      if (parsed.success) return parsed.data
      const [issue] = parsed.error.issues
      const field = (issue?.path ?? []).join('.')
      throw new CommandFault('invalid', issue?.message ?? 'the source is not understood', field)
    },
  }
}

const findSource = (sources: readonly SourceSettings[], name: string | undefined) =>
  sources.find((source) => source.name === name)
const gone = (name: string) => new CommandFault('conflict', `there is no source ${name} any more`)

/** List with one more source, or with one replaced. */
function withSource(sources: readonly SourceSettings[], source: Raw, replaces: string | undefined) {
  const old = findSource(sources, replaces)
  if (replaces !== undefined && !old) throw gone(replaces)
  const fresh = withSecrets(source, old)
  return old ? sources.map((one) => (one === old ? fresh : one)) : [...sources, fresh]
}

function withoutSource(sources: readonly SourceSettings[], name: string) {
  const left = sources.filter((source) => source.name !== name)
  if (left.length === sources.length) throw gone(name)
  // An agent without sources reads its own machine.
  return left.length > 0 ? left : [{ type: 'host' }]
}

/** Source for an answer, without passwords. */
function withoutSecrets(source: SourceSettings): object {
  const { password: _, ...rest } = source as SourceSettings & { password?: string }
  return rest
}

/** Source with its stored password when none was typed, only for the same user and server. */
function withSecrets(source: Raw, old: SourceSettings | undefined): Raw {
  if (!old || !('password' in old) || source['password'] !== undefined) return source
  const same = (['type', 'url', 'username'] as const).every((key) => source[key] === old[key])
  return same && old.password !== undefined ? { ...source, password: old.password } : source
}
