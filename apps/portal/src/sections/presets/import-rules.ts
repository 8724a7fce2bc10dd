import { isModelNode as isTree } from '../../parts/models/model-tree-rules.ts'
import { type Tree } from './preset-tree-rules.ts'

type Read = { ok: true; name: string; data: Tree } | { ok: false; why: 'json' | 'preset' | 'model' }

/** A preset out of a file: `{name, data}`, `{name, json}`, or the tree itself, for this model. */
export function readPreset(text: string, model: Tree): Read {
  const parsed = parse(text)
  if (parsed === undefined) return { ok: false, why: 'json' }
  if (!isTree(parsed)) return { ok: false, why: 'preset' }
  const inner = parsed['data'] ?? parsed['json'] ?? parsed
  if (!isTree(inner) || inner['type'] !== 'object' || !isTree(inner['properties'])) {
    return { ok: false, why: 'preset' }
  }
  if (nameOf(inner) !== nameOf(model)) return { ok: false, why: 'model' }
  const name = typeof parsed['name'] === 'string' ? parsed['name'] : ''
  // Another version of the model: what no longer fits shows as a problem.
  return { ok: true, name, data: { ...inner, instanceOf: model['instanceOf'] } }
}

const nameOf = ({ instanceOf }: Tree) => String(instanceOf ?? '').split(':')[0]

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // told as "no JSON"
  }
}
