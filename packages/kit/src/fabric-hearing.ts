import type { z } from 'zod'
import { type BacklogLimit, createBacklog } from './fabric-backlog.ts'
import type { ToldSubject } from './fabric-contract.ts'
import { valueIn } from './fabric-frame.ts'
import { type FabricLog, seldom, whyRefused } from './fabric-log.ts'
import { type FabricPlace, matcherOf } from './fabric-place.ts'
import type { Wire } from './fabric-wire.ts'

/** Hearer of messages; `parts` are the parts of the subject that its family leaves open. */
type Hearer<M> = (message: M, parts: Record<string, string>) => Promise<void> | void

const limits: Record<'live' | 'other', BacklogLimit> = {
  live: { messages: 20_000, bytes: 4 * 1024 * 1024 },
  other: { messages: 100_000, bytes: 16 * 1024 * 1024 },
}

type Push = (frame: Uint8Array, subject: string) => void
type Ear = { pushes: Set<Push>; fits: (subject: string) => boolean; stop: (() => void) | undefined }
type Options = {
  place: FabricPlace
  log: FabricLog
  refused: () => void
  dropped: () => void
}

/** Hearers of a process by the pattern of their subjects; one subscription of the wire for each. */
export function createHearing(wire: Wire | undefined, options: Options) {
  const ears = new Map<string, Ear>()
  /** Patterns with open parts; a subject that is none is found by its name. */
  const open = new Set<Ear>()

  const earOf = (pattern: string, live: boolean) => {
    const known = ears.get(pattern)
    if (known) return known
    const pushes = new Set<Push>()
    const stop = wire?.hear({ subject: pattern, live }, (frame, subject) => {
      for (const push of pushes) push(frame, subject)
    })
    const ear: Ear = { pushes, fits: matcherOf(pattern), stop }
    ears.set(pattern, ear)
    if (pattern.includes('*')) open.add(ear)
    return ear
  }
  const drop = (pattern: string, ear: Ear) => {
    ears.delete(pattern)
    open.delete(ear)
    ear.stop?.()
  }

  return {
    isHeard: (subject: string) => ears.has(subject) || [...open].some(({ fits }) => fits(subject)),
    /** Gives a message of this process to its own hearers. */
    push(subject: string, frame: Uint8Array) {
      for (const push of ears.get(subject)?.pushes ?? []) push(frame, subject)
      for (const { fits, pushes } of open)
        if (fits(subject)) for (const push of pushes) push(frame, subject)
    },
    add<M extends z.ZodType>(family: ToldSubject<M>, take: Hearer<z.output<M>>): () => void {
      const pattern = options.place.pattern(family)
      const ear = earOf(pattern, family.live === true)
      const backlog = backlogOf(family, take, options)
      const push: Push = (frame, subject) => backlog.push({ frame, subject })
      ear.pushes.add(push)
      return () => {
        backlog.clear()
        ear.pushes.delete(push)
        if (ear.pushes.size === 0 && ears.get(pattern) === ear) drop(pattern, ear)
      }
    },
    close() {
      for (const [pattern, ear] of ears) {
        ear.pushes.clear()
        drop(pattern, ear)
      }
    },
  }
}

function backlogOf<M extends z.ZodType>(
  family: ToldSubject<M>,
  take: Hearer<z.output<M>>,
  { place, log, refused, dropped }: Options,
) {
  const { subject, message, live } = family
  const partsOf = place.partsOf(family)
  const [refusal, failure, loss] = [seldom(), seldom(), seldom()]
  const refuse = (why: string) => {
    refused()
    refusal((count) => log.warn({ subject, count, why }, 'a message was refused'))
  }
  const failed = (err: unknown) =>
    failure((count) => log.error({ err, subject, count }, 'a message could not take effect'))
  const read = (frame: Uint8Array) => {
    try {
      const { data, error } = message.safeParse(valueIn(frame))
      if (!error) return { data }
      refuse(whyRefused(error))
    } catch (error) {
      refuse(whyRefused(error))
    }
  }
  return createBacklog({
    limit: limits[live ? 'live' : 'other'],
    dropped() {
      dropped()
      loss((count) => log.warn({ subject, count }, 'messages came faster than they were taken'))
    },
    take({ frame, subject: name }) {
      const told = read(frame)
      if (!told) return
      try {
        return take(told.data, partsOf(name))?.catch(failed)
      } catch (error) {
        failed(error)
      }
    },
  })
}
