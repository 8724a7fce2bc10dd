import { api } from '../api/api.ts'
import {
  type Announced,
  firstVersion,
  instanceUuid,
  modelAndPreset,
  modelName,
  nextVersion,
  sameProperties,
} from './quick-preset.ts'

/**
 * A preset for what a device announces, with its model. What an earlier attempt left is used again;
 * a model of the same name with other properties gets a further version. Returns the preset's id.
 */
export async function makePreset(
  organization: string,
  label: string,
  announced: readonly Announced[],
): Promise<string> {
  const query = { organization }
  const uuid = instanceUuid()
  const { data: models } = await api.mappings.models({
    query: { ...query, name: modelName(label), page: 0, pageSize: 1 },
  })
  const [newest] = models
  const wanted = modelAndPreset(label, announced, { uuid })
  const same = newest !== undefined && sameProperties(newest.json, wanted.model.data)
  const version = versionFor(newest?.version, same)
  const { model, preset } = modelAndPreset(label, announced, { uuid, version })
  if (!same) await api.mappings.createModel({ query, body: model })
  const { data: presets } = await api.mappings.presets({
    query: { ...query, search: preset.name, page: 0, pageSize: 100 },
  })
  const made = presets.find(
    ({ name, json = {} }) =>
      name === preset.name &&
      json !== undefined &&
      json['instanceOf'] === preset.data.instanceOf &&
      sameProperties(json, preset.data),
  )
  return made?.id ?? (await api.mappings.createPreset({ query, body: preset })).id
}

function versionFor(newest: string | undefined, same: boolean) {
  if (newest === undefined) return firstVersion
  return same ? newest : nextVersion(newest)
}
