import { offsetOf, positionAt, readJson } from '@longreach/kit/json-places'
import { isModelNode, type ModelNode } from '../../parts/models/model-tree-rules.ts'

/** A model as a file holds it: name without version, and the tree. */
export type ModelFile = { name: string; root: ModelNode }
export type FileProblem = { line: number; column: number; rule: string; message: string }
type ReadFile = { file?: ModelFile; problems: FileProblem[] }

/**
 * Read a model from a text: `{name, data}`, what a service answers (`{name, json}` or `{value: …}`),
 * or the tree itself. What is wrong has its line.
 */
export function readModelFile(text: string): ReadFile {
  const { value, places, mistakes } = readJson(text)
  const problems = mistakes.map(({ rule, message, offset }) => ({
    rule: `json.${rule}`,
    message,
    ...positionAt(text, offset),
  }))
  if (value === undefined) return { problems }
  const wrong = (rule: string, path: string) => ({
    problems: [...problems, { rule, message: rule, ...positionAt(text, offsetOf(places, path)) }],
  })
  if (!isModelNode(value)) return wrong('object', '')
  const outer = isModelNode(value['value']) ? value['value'] : value
  const root = [outer['data'], outer['json'], outer].find(isTree)
  if (!root) return wrong('noModel', 'data')
  const name = [outer['name'], root['instanceOf']].find((one) => typeof one === 'string')
  return { file: { name: bare(name), root }, problems }
}

const isTree = (value: unknown): value is ModelNode =>
  isModelNode(value) && typeof value['type'] === 'string' && isModelNode(value['properties'])

const bare = (name: unknown) => (typeof name === 'string' ? (name.split(':')[0] ?? '') : '')

/** The text of a model's file, as it is exported and posted. */
export const fileText = ({
  name,
  version,
  json,
}: {
  name: string
  version: string
  json?: ModelNode | undefined
}) => `${JSON.stringify({ name: `${name}:${version}`, data: json ?? {} }, null, 2)}\n`

/** Give the browser a model as a file. */
export function download(model: { name: string; version: string; json?: ModelNode | undefined }) {
  const url = URL.createObjectURL(new Blob([fileText(model)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${model.name}-${model.version}.json`
  link.click()
  URL.revokeObjectURL(url)
}
