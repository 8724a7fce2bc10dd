import { issueCodes } from '@longreach/formula/issue'

/** Rules that a model or preset can break; screens have words for each, with the issue's values in them. */
const treeRules = [
  'object',
  'deep',
  'nodes',
  'type',
  'structField',
  'twice',
  'length',
  'instance',
  'itself',
  'properties',
  'name',
  'empty',
  'text',
  'version',
  'tags',
  'boolean',
  'number',
  'limitsType',
  'limitsOrder',
  'parameters',
  'parameterName',
  'parameterValue',
  'parameterUnknown',
  'parameterNumber',
  'template',
  'filledLong',
] as const
const presetRules = [
  'presetObject',
  'computedMany',
  'pathMissing',
  'unlike',
  'unlinked',
  'mode',
  'history',
  'linkedTwice',
  'link',
  'linkSource',
  'policyInStruct',
  'noTrigger',
  'policy',
  'policy.type',
  'policy.small',
  'policy.many',
  'formulaInStruct',
  'formulaText',
  'formulaMode',
  'formulaIgnored',
] as const
const formulaRules = issueCodes.map((code) => `formula.${code}` as const)

export const issueRules = [...treeRules, ...presetRules, ...formulaRules]
export type IssueRule = (typeof issueRules)[number]
