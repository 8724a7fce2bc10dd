import { createHash } from 'node:crypto'
import { relativePath } from '@longreach/formula/paths'
import { compilePolicy, type PolicyPart } from '@longreach/rules/compile-policy'
import type { CompiledRule } from '@longreach/rules/compiled'
import { type Policy, readPolicy } from '@longreach/rules/policy'
import type { DeviceRule } from '../devices/device.ts'
import type { GivenTrigger } from './trigger-types.ts'

/** Compiled parts that are kept; many devices have the same. */
const mostKept = 20_000
/** Paths that one part may judge; a wider one would make each value costly. */
const mostPathsTogether = 1_000

export class TooManyPaths extends Error {
  override name = 'TooManyPaths'
}

/** Compiler of policies that keeps what it compiled, for all devices of a process. */
export function createPolicyCompiler() {
  const kept = new Map<string, CompiledRule>()
  const keep = (key: string, compiled: CompiledRule) => {
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, compiled)
    return compiled
  }
  return {
    /** Parts of a trigger on a device with these paths; throws for a policy that cannot be read. */
    deviceRules(given: GivenTrigger, devicePaths: readonly string[]): DeviceRule[] {
      const policy = policyFrom(given.policy)
      const { id, version, updatedAt } = given
      return compilePolicy(policy, devicePaths).flatMap(({ instance, rule: compiled, leaves }) => {
        if (compiled.leaves.length === 0) return []
        const named = namesIn(compiled)
        if (named.size > mostPathsTogether)
          throw new TooManyPaths(`${named.size} paths in one part`)
        const paths = devicePaths.filter((path) => named.has(relativePath(path)))
        const part: PolicyPart = { policy, paths, instance }
        const key = partKey(part)
        const known = kept.get(key) ?? keep(key, compiled)
        const trigger = { instance, since: updatedAt, leaves }
        return [{ id, version, key, rule: part, zone: undefined, trigger, ...judgedBy(known) }]
      })
    },
    /** Compiled form of a part that was stored, by its key. */
    compiled(key: string, { policy, paths, instance }: PolicyPart): CompiledRule {
      const known = kept.get(key)
      if (known) return known
      const found = compilePolicy(policy, paths).find((one) => one.instance === instance)
      if (!found) throw new Error(`a policy has no part ${instance}`)
      return keep(key, found.rule)
    },
  }
}
export type PolicyCompiler = ReturnType<typeof createPolicyCompiler>

/** Policy that was checked when it was saved. */
function policyFrom(raw: unknown): Policy {
  const read = readPolicy(raw)
  if (read.ok) return read.policy
  throw new Error(`a policy is not readable: ${JSON.stringify(read.issues)}`)
}

/** Paths that a part looks at, without the name of the model. */
const namesIn = ({ inputs }: CompiledRule) =>
  new Set(inputs.flatMap((input) => (input.kind === 'path' ? [input.path] : [])))

const partKey = (part: PolicyPart) =>
  `t${createHash('sha256').update(JSON.stringify(part)).digest('base64url').slice(0, 21)}`

const judgedBy = (compiled: CompiledRule) => ({
  compiled,
  isByArrival: compiled.inputs.some(({ kind }) => kind === 'connection'),
})

/** True for the stored text of a part of a policy, and not of a rule of alarms. */
export const isPolicyPart = (stored: object): stored is PolicyPart => 'policy' in stored
