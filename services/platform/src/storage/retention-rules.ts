/** Retention time in an organization and below: of all paths, of a model's, or of a path. */
export type Rule = { organization: string; model: string; path: string; keepDays: number }
type Target = Pick<Rule, 'model' | 'path'>

const dayMs = 86_400_000

/** The model that a path begins with: `Pump` of `Pump:1/flow`. */
export const modelOf = (path: string) => /^[^:/]*/.exec(path)?.[0] ?? ''

/** The organization itself and all above it, the root first. */
export const chainOf = (organization: string) => {
  const parts = organization.split('.')
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

function covers({ model, path }: Target, asked: string) {
  if (path.endsWith('**')) return asked.startsWith(path.slice(0, -2))
  if (path !== '') return path === asked
  return model === '' || model === modelOf(asked)
}

/** Precedence of a rule: a path before a part of one, that before a model, and a model before all paths. */
function weight({ model, path }: Target) {
  if (path !== '') return path.endsWith('**') ? 10 + path.length : 100_000
  return model === '' ? 0 : 1
}

/** Shortest time of the most specific rule of each organization: below, a time can only be shortened. */
export function keepDaysOf(
  rules: readonly Rule[],
  organization: string,
  path: string,
): number | undefined {
  let shortest: number | undefined
  for (const place of chainOf(organization)) {
    const own = rules.filter((rule) => rule.organization === place && covers(rule, path))
    const most = own.toSorted((a, b) => weight(b) - weight(a))[0]
    if (most) shortest = Math.min(shortest ?? Infinity, most.keepDays)
  }
  return shortest
}

/** Longest time that the organizations above allow for all that the target covers; undefined without a rule. */
export function limitAbove(rules: readonly Rule[], organization: string, target: Target) {
  const above = chainOf(organization).slice(0, -1)
  const asked = target.path === '' ? `${target.model}:` : target.path
  const wide = rules.filter((rule) => above.includes(rule.organization))
  if (target.model === '' && target.path === '')
    return shortestOf(wide.filter(({ model, path }) => model === '' && path === ''))
  const open = asked.endsWith('**') ? asked.slice(0, -2) : asked
  return keepDaysOf(wide, above.at(-1) ?? '', open)
}

const shortestOf = (rules: readonly Rule[]) =>
  rules.length === 0 ? undefined : Math.min(...rules.map(({ keepDays }) => keepDays))

const units: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }

/** Days of a preset's limit of history, as `90d`, `12m` or ISO 8601's `P90D`; undefined for any other text. */
export function daysOfLimit(limit: string | undefined): number | undefined {
  const found = /^P?(\d{1,5})([dwmy])$/i.exec(limit?.trim() ?? '')
  const days = Number(found?.[1]) * (units[found?.[2]?.toLowerCase() ?? ''] ?? 0)
  return days >= 1 ? days : undefined
}

/** Values before this time are to go. Whole days of UTC, so that a day's runs all cut at one place. */
export const cutTime = (keepDays: number, now: number) =>
  Math.floor((now - keepDays * dayMs) / dayMs) * dayMs

/** The shorter of two, of which either may be missing. */
export const shorter = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
