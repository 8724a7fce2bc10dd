import { late } from '@longreach/ui/late'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { PaneDivider } from '@longreach/ui/PaneDivider'
import { useWords } from '@longreach/ui/use-words'
import { Select, TextInput } from '@mantine/core'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { usePaneWidth } from '../../parts/kept/pane-width.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useDeviceOptions } from './device-options.ts'
import type { Draft } from './bind-rules.ts'
import { EditorActions } from './EditorActions.tsx'
import { Inspector } from './Inspector.tsx'
import type { Preset } from './preset-calls.ts'
import type { Tree } from './preset-tree-rules.ts'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import shared from './presets.module.css'
import classes from './PresetEditor.module.css'
import { TagsPane } from './TagsPane.tsx'
import { useEditor } from './use-editor.ts'
import { ValuesPane } from './ValuesPane.tsx'

const SaveDialog = late(() => import('./SaveDialog.tsx'), 'SaveDialog')

type Props = { preset: Preset | undefined; model: Tree; first: Draft; locked: boolean }

/** The model's values, the device's tags, and what is chosen: side by side. */
export function PresetEditor({ preset, model, first, locked }: Props) {
  const t = useWords()
  const navigate = useNavigate()
  const [search] = useSearch()
  const editor = useEditor({ preset, model, first, locked, deviceId: one(search['device']) })
  const [saving, setSaving] = useState(false)
  const [values, setValues] = usePaneWidth('preset.values')
  const [inspector, setInspector] = usePaneWidth('preset.inspector')
  const tagList = useRef<HTMLDivElement>(null)
  const leaving = useRef(false)
  const asked = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      editor.dirty && !leaving.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => editor.dirty && !leaving.current,
    withResolver: true,
  })
  const left = (to: string) => {
    leaving.current = true
    void navigate({ to })
  }
  return (
    <Page>
      <PageHeader
        title={editor.draft.name || t('presets.new')}
        trail={<Breadcrumb to="/presets" section="presets" />}
        help={`${String(model['instanceOf'])}${locked ? ` · ${t('presets.locked')}` : ''}`}
        actions={<EditorActions editor={editor} onSave={() => setSaving(true)} />}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only keys that any control inside lets through */}
      <div className={classes.editor} onKeyDown={(event) => undoKeys(event, editor.undo)}>
        <div className={classes.head}>
          <TextInput
            label={t('presets.name')}
            value={editor.draft.name}
            disabled={locked}
            onChange={(event) => editor.rename(event.currentTarget.value)}
          />
          <DeviceSelect value={editor.deviceId} />
        </div>
        <div className={classes.panes} style={widths({ values, inspector })}>
          <ValuesPane
            editor={editor}
            onTags={() => tagList.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus()}
          />
          <PaneDivider label={t('presets.width.values')} pane="before" onWidth={setValues} />
          <div ref={tagList} className={shared.pane}>
            <TagsPane editor={editor} />
          </div>
          <PaneDivider label={t('presets.width.inspector')} pane="after" onWidth={setInspector} />
          <Inspector editor={editor} />
        </div>
      </div>
      {saving && <SaveDialog editor={editor} onClose={() => setSaving(false)} onLeave={left} />}
      {asked.status === 'blocked' && (
        <ConfirmDialog
          title={t('presets.unsavedTitle')}
          verb={t('presets.leave')}
          pending={false}
          error={undefined}
          onConfirm={asked.proceed}
          onClose={asked.reset}
        >
          {t('presets.unsavedText')}
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** The widths that a person gave, as properties of the style sheet. */
const widths = (panes: Record<string, number | undefined>) =>
  Object.fromEntries(
    Object.entries(panes).flatMap(([pane, px]) =>
      px === undefined ? [] : [[`--${pane}`, `${px}px`]],
    ),
  )

type Undo = ReturnType<typeof useEditor>['undo']

/** Ctrl+Z and Ctrl+Y, but not in fields, which have their own. */
function undoKeys(event: KeyboardEvent, { undo, redo }: Undo) {
  const { target, key } = event
  if (!(event.ctrlKey || event.metaKey)) return
  if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return
  const again = key === 'y' || (key.toLowerCase() === 'z' && event.shiftKey)
  if (again) redo()
  else if (key === 'z') undo()
  else return
  event.preventDefault()
}

function DeviceSelect({ value }: { value: string | undefined }) {
  const t = useWords()
  const [, change] = useSearch()
  const { options, setText } = useDeviceOptions(value)
  return (
    <Select
      label={t('presets.withDevice')}
      placeholder={t('presets.chooseDevice')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('presets.noDevice') }}
      data={options}
      value={value ?? null}
      onSearchChange={setText}
      nothingFoundMessage={t('presets.noDeviceFound')}
      onChange={(device) => void change({ device: device ?? undefined })}
    />
  )
}
