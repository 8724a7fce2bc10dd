import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import { issueAt, type RuleIssue } from '@longreach/rules/issue'
import type { Rule } from '@longreach/rules/rule'
import type { AlarmsDeps } from '../deps.ts'
import { findDevice } from './rule-devices.ts'
import type { RuleRow } from './rule-store.ts'

type ModelScope = Extract<Rule['scope'], { model: string }>
type NamedModel = Awaited<
  ReturnType<AlarmsDeps['clients']['mappings']['modelsOfName']>
>['models'][number]

/** Scope with the model or device that it means, the paths there, and the organization of the model. */
type KnownScope = { scope: Rule['scope']; modelOrg: string | null; paths: string[] }
export type AskedScope = {
  org: string
  scope: Rule['scope']
  /** Rule that is changed: without another name it stays with its model. */
  present?: Pick<RuleRow, 'model' | 'model_id' | 'model_org'> | undefined
  /** An id that is not known here counts for nothing, as in a file of another organization. */
  isImported?: boolean | undefined
}

/** Model or device that a scope means, or why it means none or more than one. */
export async function findScope(
  deps: AlarmsDeps,
  asked: AskedScope,
): Promise<KnownScope | RuleIssue[]> {
  const { scope, org } = asked
  if ('model' in scope) return findModel(deps, { ...asked, scope })
  const paths = await pathsOfDevice(deps, org, scope.deviceId)
  if (paths.length > 0) return { scope, modelOrg: null, paths }
  return [issueAt('scope.deviceId', 'unknown_path', { path: scope.deviceId })]
}

async function findModel(
  { clients }: AlarmsDeps,
  { org, scope, present, isImported = false }: AskedScope & { scope: ModelScope },
): Promise<KnownScope | RuleIssue[]> {
  const { model, modelId } = scope
  const { models } = await clients.mappings.modelsOfName({ query: { organization: org, model } })
  if (models.length === 0) return [issueAt('scope.model', 'unknown_path', { path: model })]
  const before = present?.model === model ? present : undefined
  const found = meantModel(models, modelId, before)
  if (found) return knownModel(model, found, before)
  if (modelId !== undefined && !isImported) {
    return [withChoices(issueAt('scope.modelId', 'unknown_model', { modelId, model }), models)]
  }
  const [only, ...others] = models
  if (only && others.length === 0) return knownModel(model, only, before)
  return [withChoices(issueAt('scope.model', 'ambiguous_model', { model }), models)]
}

/** Model that an id names, or the one that a rule is for already. */
function meantModel(
  models: readonly NamedModel[],
  modelId: string | undefined,
  before: AskedScope['present'],
): NamedModel | undefined {
  const named = models.find(({ ids }) => modelId !== undefined && ids.includes(modelId))
  if (named || !before) return named
  const isSame = modelId === undefined || modelId === before.model_id
  return isSame ? models.find(({ organization }) => organization === before.model_org) : undefined
}

/** Scope of a model, by the id that the rule has of it already, else by that of its oldest version. */
function knownModel(
  model: string,
  { organization, ids, paths }: NamedModel,
  before: AskedScope['present'],
): KnownScope {
  const own = before?.model_org === organization ? before.model_id : undefined
  const modelId = own ?? ids[0]
  return {
    scope: { model, ...(modelId !== undefined && { modelId }) },
    modelOrg: organization,
    // A model without a path has none to name, and can be watched for its connection.
    paths: paths.length > 0 ? paths : ['-'],
  }
}

/** Issue with the models of which one may be meant, as its choices and in its words. */
function withChoices(issue: RuleIssue, models: readonly NamedModel[]): RuleIssue {
  const choices = models.flatMap(({ organization, ids: [modelId] }) =>
    modelId === undefined ? [] : [{ modelId, organization }],
  )
  const text = choices.map(({ organization, modelId }) => `${organization} (${modelId})`)
  return { ...issue, params: { ...issue.params, choices: text.join(', ') }, choices }
}

/** Paths of a device of an organization or below it; none when it is not there. */
async function pathsOfDevice(deps: AlarmsDeps, org: string, deviceId: string) {
  const device = await findDevice(deps, deviceId)
  const isHere =
    device && (device.orgResourceId === org || device.orgResourceId.startsWith(`${org}.`))
  if (!isHere) return []
  const leaves = device.configuration === null ? [] : readConfiguration(device.configuration).leaves
  // A device without a preset has no paths, and can be watched for its connection.
  return leaves.length > 0 ? leaves.map(({ path }) => path) : ['-']
}
