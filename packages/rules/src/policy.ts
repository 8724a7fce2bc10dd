import { readPattern } from '@longreach/authorization/model-path'
import { z } from 'zod'
import { issueAt, type RuleIssue } from './issue.ts'
import { ruleLimits } from './limits.ts'
import { schemaIssues } from './schema-issues.ts'

const matcher = z.string().min(1).max(ruleLimits.path)
const time = z.int().min(0).max(ruleLimits.delayMs).optional()
const uuid = z.string().max(ruleLimits.name).optional()
const skips = z.int().min(0).max(1_000_000).default(0)
const ends = {
  min: z.number().optional(),
  minOrEqual: z.boolean().default(true),
  max: z.number().optional(),
  maxOrEqual: z.boolean().default(true),
}

const AnalogBand = z.object({
  type: z.literal('ANALOG_BAND'),
  modelPathMatcher: matcher,
  inside: z.boolean().default(true),
  ...ends,
  /** Time (ms) that it has to hold. */
  time,
  uuid,
})
const OnChanged = z.object({
  type: z.literal('ON_CHANGED'),
  modelPathMatcher: matcher,
  changeMask: z.enum(['VALUE_CHANGED', 'TIMESTAMP_CHANGED']).default('VALUE_CHANGED'),
  skipFirstNChanges: skips,
  deadband: z.number().min(0).default(0),
  isPercentage: z.boolean().default(false),
  uuid,
})
const OnLevel = z.object({
  type: z.literal('ON_LEVEL'),
  modelPathMatcher: matcher,
  level: z.number().optional(),
  levelBool: z.boolean().optional(),
  mode: z.enum(['ON_ENTER', 'ON_EXIT']).default('ON_ENTER'),
  skipFirstChanges: skips,
  ...ends,
  time,
  uuid,
})
const OnConnection = z.object({
  type: z.literal('CONNECTION'),
  source: z.enum(['IOT', 'VPN']).default('IOT'),
  status: z.enum(['ON', 'OFF']),
  time,
  uuid,
})
const Passthrough = z.object({ type: z.literal('PASSTHROUGH'), modelPathMatcher: matcher, uuid })

const single = [AnalogBand, OnChanged, OnLevel, OnConnection, Passthrough] as const
/** Policy of a trigger that looks at one thing. */
export const SinglePolicy = z.discriminatedUnion('type', single)
export type SinglePolicy = z.output<typeof SinglePolicy>

/** Policy of a trigger: the form of the wire, with its defaults. */
export type Policy = SinglePolicy | GroupPolicy
type GroupPolicy = {
  type: 'AND_OPERATOR' | 'OR_OPERATOR'
  innerPolicies: Policy[]
  uuid?: string | undefined
}

type ReadPolicy = { ok: true; policy: Policy } | { ok: false; issues: RuleIssue[] }

/** Checks a posted policy, and answers it complete or all its faults. Never throws. */
export function readPolicy(raw: unknown): ReadPolicy {
  const reader = new PolicyReader()
  const policy = reader.read(raw, 'policy', 1)
  const issues = reader.issues.slice(0, ruleLimits.issues)
  return policy && issues.length === 0 ? { ok: true, policy } : { ok: false, issues }
}

const Group = z.object({
  type: z.enum(['AND_OPERATOR', 'OR_OPERATOR']),
  innerPolicies: z.array(z.unknown()).min(1).max(ruleLimits.parts),
  uuid,
})

class PolicyReader {
  readonly issues: RuleIssue[] = []
  private count = 0

  read(raw: unknown, place: string, depth: number): Policy | undefined {
    this.count += 1
    if (depth > ruleLimits.depth) return this.fault(place, 'too_deep', ruleLimits.depth)
    if (this.count > ruleLimits.leaves) {
      return this.count === ruleLimits.leaves + 1
        ? this.fault(place, 'too_many_leaves', ruleLimits.leaves)
        : undefined
    }
    const isGroup = typeof raw === 'object' && raw !== null && 'innerPolicies' in raw
    return isGroup ? this.readGroup(raw, place, depth) : this.readSingle(raw, place)
  }

  private fault(place: string, code: 'too_deep' | 'too_many_leaves', most: number) {
    this.issues.push(issueAt(place, code, { most }))
    return undefined
  }

  private readGroup(raw: object, place: string, depth: number): Policy | undefined {
    const read = Group.safeParse(raw, { reportInput: true })
    if (!read.success) {
      this.issues.push(...schemaIssues(read.error, place))
      return undefined
    }
    const parts = read.data.innerPolicies.map((part, index) =>
      this.read(part, `${place}.innerPolicies.${index}`, depth + 1),
    )
    return { ...read.data, innerPolicies: parts.filter((part) => part !== undefined) }
  }

  private readSingle(raw: unknown, place: string): Policy | undefined {
    const read = SinglePolicy.safeParse(raw, { reportInput: true })
    if (!read.success) {
      this.issues.push(...schemaIssues(read.error, place))
      return undefined
    }
    this.issues.push(...policyIssues(read.data, place))
    return read.data
  }
}

function policyIssues(policy: SinglePolicy, place: string): RuleIssue[] {
  const issues: RuleIssue[] = []
  if ('modelPathMatcher' in policy && !readPattern(policy.modelPathMatcher).ok) {
    issues.push(issueAt(`${place}.modelPathMatcher`, 'invalid'))
  }
  const isBand = policy.type === 'ANALOG_BAND' || policy.type === 'ON_LEVEL'
  return isBand ? [...issues, ...bandIssues(policy, place)] : issues
}

type BandPolicy = Extract<SinglePolicy, { type: 'ANALOG_BAND' | 'ON_LEVEL' }>

function bandIssues(policy: BandPolicy, place: string): RuleIssue[] {
  const { type, min, max } = policy
  if (min !== undefined && max !== undefined && min > max)
    return [issueAt(`${place}.max`, 'band_order')]
  if (min !== undefined || max !== undefined) return []
  if (type === 'ANALOG_BAND') return [issueAt(`${place}.min`, 'missing')]
  const hasLevel = policy.level !== undefined || policy.levelBool !== undefined
  return hasLevel ? [] : [issueAt(`${place}.level`, 'missing')]
}
