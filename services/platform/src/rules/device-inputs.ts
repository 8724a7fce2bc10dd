import { valueOf } from '@longreach/formula/convert'
import { relativePath } from '@longreach/formula/paths'
import type { FormulaValue } from '@longreach/formula/tree'
import { instancesOf } from '@longreach/rules/instances'
import type { Value } from '@longreach/telemetry/store'
import type { Device, DeviceRule, Input } from '../devices/device.ts'
import { isStruct } from '../queries/query-source.ts'

/** Paths of a device by which rules name its values, those of fields of structs too. */
export function inputSources({ byPath }: Device): Map<string, Input> {
  const sources = new Map<string, Input>()
  for (const [path, target] of byPath) {
    sources.set(path, { target })
    for (const field of Object.keys(target.leaf.fields ?? {})) {
      sources.set(`${path}/${field}`, { target, field })
    }
  }
  return sources
}

/** Instances of a rule on a device, with the source of each input where the device has it. */
export function instancesWithSources(
  { compiled, trigger }: DeviceRule,
  sources: Map<string, Input>,
) {
  return instancesOf(compiled, sources.keys()).map(({ instance, paths }) => ({
    instance: trigger?.instance ?? instance,
    sources: paths.map((path) => (path === undefined ? undefined : sources.get(path))),
  }))
}

/** Value of an input out of that of its path. */
export function inputValue(v: Value, field: string | undefined): FormulaValue {
  if (field === undefined) return valueOf(v)
  return isStruct(v) && Object.hasOwn(v, field) ? valueOf(v[field]) : null
}

/** Model of a device, as its paths begin; undefined without paths of a model. */
export function modelOfPaths({ byPath }: Device): string | undefined {
  const [first] = byPath.keys()
  if (first === undefined || relativePath(first) === first) return undefined
  return first.slice(0, first.indexOf('/'))
}

/** Model of a device as rules are asked for by it: its name, and the organization that has it. */
export function modelFacts(device: Device) {
  const model = modelOfPaths(device)
  const { modelOrganization } = device
  return {
    ...(model !== undefined && { model }),
    ...(modelOrganization !== undefined && { modelOrganization }),
  }
}
