import type { ChainLink, Stopped } from '../database.ts'
import { chainText } from '../saving/loop-rules.ts'
import type { Firing } from '../firing-contract.ts'

/** Firings whose value is older than this when it is heard (ms) do not act. */
const lateMs = 3_600_000
const mostDeep = 5
const mostRepeats = 3
const repeatsWithinMs = 600_000
const mostRunsAMinute = 60
/** Times of firings that are kept for each part of a trigger on a device. */
const mostTimes = 20

/** True for a firing that was judged before, or is the same one moved by late values. */
export function isKnown({ t, until, isAgain }: Firing, times: readonly number[]) {
  if (!isAgain) return times.some((known) => known >= t)
  if (times.some((known) => known >= t && known <= (until ?? Infinity))) return true
  return times.length >= mostTimes && t < Math.min(...times)
}

/** Times of firings with a further one, the newest of them. */
export const withTime = (times: readonly number[], t: number) =>
  [...times, t].toSorted((one, other) => one - other).slice(-mostTimes)

export const isLate = ({ t, heardAt }: Firing) => t < heardAt - lateMs

/** Paths that may have caused a firing: the values that came, or all where a timer fired. */
export function causesOf({ inputs }: Firing) {
  const causes = inputs.filter(({ isCause }) => isCause)
  return (causes.length > 0 ? causes : inputs).map(({ path }) => path)
}

/** Time of the server since which what fired has held. */
export const heldSince = ({ heardAt, t, since }: Firing) => heardAt - Math.max(0, t - since)

type Running = {
  trigger: { id: string; name: string }
  deviceId: string
  chain: readonly ChainLink[]
  runsThisMinute: number
  now: number
}

/** Reason to stop a trigger before it runs again: a loop, or too many runs. */
export function stopOf({ trigger, deviceId, chain, runsThisMinute, now }: Running) {
  const links = chain.map(({ triggerId, name, path }) => ({ triggerId, name, path }))
  const stopped = (code: Stopped['code'], text: string): Stopped => ({
    at: now,
    code,
    text,
    chain: links,
  })
  const words = chainText(links, trigger.name)
  if (chain.length + 1 > mostDeep) {
    return stopped('too_deep', `${chain.length} runs led to this one: ${words}.`)
  }
  const before = chain.filter(
    (link) =>
      link.triggerId === trigger.id &&
      link.deviceId === deviceId &&
      link.at > now - repeatsWithinMs,
  )
  if (before.length + 1 >= mostRepeats) {
    return stopped('repeated', `It feeds itself, ${mostRepeats} times within 10 minutes: ${words}.`)
  }
  if (runsThisMinute >= mostRunsAMinute) {
    return stopped('too_many_runs', `It ran ${mostRunsAMinute} times in a minute.`)
  }
  return undefined
}

/** Names of triggers and paths of a chain, as people are told. */
export const shortChain = (chain: Stopped['chain'], name: string) =>
  chain.length === 0 ? '' : [...chain.flatMap((link) => [link.name, link.path]), name].join(' → ')
