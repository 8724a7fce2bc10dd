import { useUndo } from '@longreach/ui/use-undo'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useFeature } from '../../parts/session/features.ts'
import { bindingOf, canBind, type Draft } from './bind-rules.ts'
import { suggestionsFor } from './match-rules.ts'
import { type Preset, useHere } from './preset-calls.ts'
import { type Row, rowsOf, type Tree } from './preset-tree-rules.ts'
import { problemsByPath } from './problem-rules.ts'
import { fastValues } from './save-rules.ts'
import { useDeviceTags } from './use-device-tags.ts'

type Edited = {
  preset: Preset | undefined
  model: Tree
  first: Draft
  deviceId: string | undefined
  locked: boolean
}
/** Values by tag, as a gateway has just read them. */
export type TagSamples = Record<string, [number, unknown][]>
export type Editor = ReturnType<typeof useEditor>

/** Everything that the panes of the editor share. */
export function useEditor({ preset: loaded, model, first, deviceId, locked }: Edited) {
  // What was loaded when editing began, or saved last: a change of somebody else since is a conflict.
  const [preset, setPreset] = useState(loaded)
  const undo = useUndo<Draft>(first)
  const [saved, setSaved] = useState(first)
  const [active, setActive] = useState<string>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const structs = useFeature('structs')
  const { now: draft } = undo
  const rows = useMemo(() => rowsOf(model).filter(isShown(structs)), [model, structs])
  const values = useMemo(() => rows.filter(canBind), [rows])
  const device = useDeviceTags(deviceId)
  const taken = useMemo(
    () => new Set(values.flatMap((row) => bindingOf(draft.data, row)?.source ?? [])),
    [values, draft.data],
  )
  const suggestions = useMemo(() => {
    const unbound = values.filter((row) => row.kind === 'leaf' && !bindingOf(draft.data, row))
    const found = suggestionsFor(unbound, device.tags, taken)
    return new Map(found.map((one) => [one.path, one]))
  }, [values, draft.data, device.tags, taken])
  const [sampled, setSampled] = useState<{ of: string | undefined; samples: TagSamples }>()
  // Of another device they say nothing.
  const samples = sampled !== undefined && sampled.of === deviceId ? sampled.samples : undefined
  const trial = useTrial(draft.data, { presetId: preset?.id, deviceId, samples })
  const { json: stored } = preset ?? {}
  const allowFast = useFeature('highFreq')
  const fast = useMemo(
    () => (allowFast ? [] : fastValues({ values, data: draft.data, stored })),
    [allowFast, values, draft.data, stored],
  )
  const problems = useMemo(
    () => problemsByPath({ trial: trial.data, model, rows, fast }),
    [trial.data, model, rows, fast],
  )
  return {
    preset,
    model,
    draft,
    locked,
    deviceId,
    undo,
    dirty: draft !== saved,
    rows,
    values,
    device,
    taken,
    suggestions,
    trial,
    samples,
    stored,
    /** Values that need the feature for fast values, where it is off. */
    fast,
    keepSamples: (fresh: TagSamples) =>
      setSampled({ of: deviceId, samples: { ...samples, ...fresh } }),
    problems,
    activePath: active,
    active: values.find(({ path }) => path === active),
    selected,
    chosen: values.filter(({ path }) => selected.has(path)),
    pick: (path: string, paths: ReadonlySet<string>) => {
      setActive(path)
      setSelected(paths)
    },
    /** Changes with the same mark one after the other are one step for undo. */
    change: (data: Tree, mark?: string) => {
      if (!locked) undo.change({ ...draft, data }, mark)
    },
    rename: (name: string) => undo.change({ ...draft, name }, 'name'),
    markSaved: (kept?: Preset) => {
      setSaved(draft)
      if (kept) setPreset(kept)
    },
  }
}

const isShown = (structs: boolean) => (row: Row) =>
  structs || (row.kind !== 'field' && row.kind !== 'struct')

const restMs = 700

/** Trial of the edited preset by the server, run each time the person stops typing. */
function useTrial(
  data: Tree,
  asked: {
    presetId: string | undefined
    deviceId: string | undefined
    samples: TagSamples | undefined
  },
) {
  const here = useHere()
  const [rested] = useDebouncedValue(data, restMs)
  const body = { data: { ...rested }, ...asked }
  return useQuery({
    ...query(api.platform.dryRun, { query: here, body }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
