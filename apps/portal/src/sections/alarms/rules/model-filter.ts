type Version = { id: string; scope: string; organization: string }
type Wanted = { model: string | undefined; modelOf?: string | undefined }
type Choice = { key: string; model: string; modelOf: string | undefined }

const choice = (model: string, modelOf?: string): Choice => ({
  key: `${model} ${modelOf ?? ''}`,
  model,
  modelOf,
})

/** Models to choose from, as `Oven:1`: those that share a name each with its organization, and the chosen one. */
export function modelsToChoose(versions: readonly Version[], wanted: Wanted): Choice[] {
  const owners = new Map<string, Set<string>>()
  for (const { scope, organization } of versions)
    owners.set(scope, (owners.get(scope) ?? new Set()).add(organization))
  const found = [...owners].flatMap(([model, of]) =>
    of.size === 1 ? [choice(model)] : [...of].map((organization) => choice(model, organization)),
  )
  const { model, modelOf } = wanted
  if (model === undefined) return found
  const chosen = choice(model, modelOf)
  return found.some(({ key }) => key === chosen.key) ? found : [...found, chosen]
}

/** Longest list of versions that a question for devices names. */
const mostVersions = 100

/**
 * Ids of the versions of a rule's model: those of its name in the organization that has it. Undefined where the
 * versions are not known, or are more than a question names.
 */
export function versionsOf(
  versions: readonly Version[],
  { model, modelId }: { model: string; modelId?: string | undefined },
): string[] | undefined {
  const named = versions.filter(({ scope }) => scope === model)
  const owner = named.find(({ id }) => id === modelId)?.organization
  const meant = modelId === undefined ? named : named.filter((one) => one.organization === owner)
  return meant.length === 0 || meant.length > mostVersions ? undefined : meant.map(({ id }) => id)
}
