import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { DetailPending } from '../../parts/pages/DetailPending.tsx'
import { FailedPage } from '../../parts/pages/FailedPage.tsx'
import { useMay, useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { ChooseModel } from './ChooseModel.tsx'
import { type Preset, presetQuery, useHere } from './preset-calls.ts'
import { PresetEditor } from './PresetEditor.tsx'
import { isModelNode as isTree } from '../../parts/models/model-tree-rules.ts'
import { emptyPreset, type Tree } from './preset-tree-rules.ts'

const pending = { to: '/presets', section: 'presets', shape: { panes: 3 } }

/** One preset as it is edited: a model's values beside a device's tags. */
export function Component() {
  const { presetId = 'new' }: { presetId?: string } = useParams({ strict: false })
  return presetId === 'new' ? <NewPreset /> : <KnownPreset key={presetId} presetId={presetId} />
}

function NewPreset() {
  const may = useMay()('models:create')
  const [search] = useSearch()
  const here = useHere()
  const modelId = one(search['model'])
  const model = useQuery({
    ...query(api.mappings.model, { params: { id: modelId ?? '' }, query: here }),
    enabled: modelId !== undefined,
  })
  const tree = model.data?.json
  const first = useMemo(
    () =>
      isTree(tree)
        ? { name: model.data?.name ?? '', data: emptyPreset(tree, instanceUuid()) }
        : undefined,
    [tree, model.data?.name],
  )
  if (modelId === undefined) return <ChooseModel />
  if (model.error)
    return <FailedPage kind="model" error={model.error} onRetry={() => void model.refetch()} />
  if (!first || !isTree(tree)) return <DetailPending {...pending} />
  return <PresetEditor key={modelId} preset={undefined} model={tree} first={first} locked={!may} />
}

/** 16 lower-case letters and digits: the id of the instance in devices' configurations. */
const instanceUuid = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => (byte % 36).toString(36)).join('')

function KnownPreset({ presetId }: { presetId: string }) {
  const { organization } = useHere()
  const preset = useQuery({ ...presetQuery(organization, presetId), refetchOnMount: 'always' })
  if (preset.error)
    return <FailedPage kind="preset" error={preset.error} onRetry={() => void preset.refetch()} />
  // An older answer would be edited, and then be in conflict with the newest.
  const fresh = preset.isFetchedAfterMount ? preset.data : undefined
  return fresh ? <WithModel preset={fresh.value} /> : <DetailPending {...pending} />
}

function WithModel({ preset }: { preset: Preset }) {
  const may = useMay()('models:update')
  const own = useSession().organization.resourceId === preset.orgResourceId
  const here = useHere()
  const model = useQuery({
    ...query(api.mappings.model, { params: { id: preset.modelId }, query: here }),
    staleTime: Infinity,
  })
  const first = { name: preset.name, data: preset.json as Tree } // judged by the server
  if (model.isPending) return <DetailPending {...pending} />
  // A shared preset may come without its model: then its own tree shows what it has.
  const tree = isTree(model.data?.json) ? model.data.json : first.data
  return <PresetEditor preset={preset} model={tree} first={first} locked={!may || !own} />
}
