import type { Issue } from '../asked-contract.ts'
import type { IssueRule } from '../issue-rules.ts'
import { issue, type TreeNode } from '../tree-rules.ts'

const texts = ['label', 'description', 'unit', 'version'] as const
const numeric = new Set(['integer', 'double', 'integerarray', 'doublearray'])
const isAbsent = (value: unknown) => value === undefined || value === null

/** Problems of the texts and limits of one node of a model. */
export function judgeNode(one: TreeNode): Issue[] {
  const { node, at } = one
  const issues: Issue[] = []
  const wrong = (key: string, message: string, rule: IssueRule) =>
    issues.push(issue(at === '' ? key : `${at}.${key}`, message, rule))
  for (const key of texts) {
    if (!isAbsent(node[key]) && typeof node[key] !== 'string') wrong(key, 'must be text', 'text')
  }
  const { version, tags, deprecated } = node
  if (typeof version === 'string' && !/^(?:\d{1,6}\.\d{1,6}(?:\.\d{1,6})?)?$/.test(version)) {
    wrong('version', 'must be numbers as 1.0 or 1.0.0', 'version')
  }
  const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')
  if (!isAbsent(tags) && !isList) wrong('tags', 'must be a list of texts', 'tags')
  if (!isAbsent(deprecated) && typeof deprecated !== 'boolean') {
    wrong('deprecated', 'must be true or false', 'boolean')
  }
  return [...issues, ...judgeLimits(one)]
}

function judgeLimits({ node, at }: TreeNode): Issue[] {
  const issues: Issue[] = []
  const wrong = (key: string, message: string, rule: IssueRule) =>
    issues.push(issue(at === '' ? key : `${at}.${key}`, message, rule))
  const { min, max } = node
  for (const key of ['min', 'max'] as const) {
    if (isAbsent(node[key])) continue
    if (!Number.isFinite(node[key])) wrong(key, 'must be a number', 'number')
    else if (!numeric.has(String(node['type']))) {
      wrong(key, 'only numbers have limits', 'limitsType')
    }
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    wrong('max', `is less than the least value ${min}`, 'limitsOrder')
  }
  return issues
}
