import { Page } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { useRef, useState } from 'react'
import { idOfIssue } from '../../parts/models/model-tree-rules.ts'
import type { Search } from '../../parts/pages/section.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { EditorBody, type EditorTab, editorTabs } from './EditorBody.tsx'
import { EditorHeader, NameOfNew, useLock } from './EditorHeader.tsx'
import type { Draft } from './JsonPane.tsx'
import { LeaveDialog } from '../../parts/pages/LeaveDialog.tsx'
import { type Impact, type Model, useImpact } from './model-calls.ts'
import type { ModelFile } from './model-file.ts'
import { SaveBar } from './SaveBar.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { useModelEditor } from './use-model-editor.ts'
import { useSaveModel } from './use-save-model.ts'
import { useSettled } from './use-settled.ts'

type Props = {
  /** Absent: a new one. */
  model?: Model
  start: ModelFile
  /** Begun from a file or a copy, so that there is something to lose at once. */
  begun?: boolean
}

/** A model while it is looked at, made or changed. */
export function ModelEditor({ model, start, begun = false }: Props) {
  const t = useWords()
  const [search, change] = useSearch()
  const [name, setName] = useState(start.name)
  const [draft, setDraft] = useState<Draft>()
  const [goTo, setGoTo] = useState<{ path: string }>()
  const editing = useModelEditor(start.root)
  const leaving = useRef(false)
  const save = useSaveModel(model, () => {
    leaving.current = true
  })
  const lock = useLock(model)
  const isBroken = draft !== undefined && draft.root === undefined
  const isOther = editing.root !== start.root || name !== start.name
  const dirty = lock === undefined && (begun || isBroken || isOther)
  const judged = useJudged(model, editing.root, name)
  const problems = problemsIn(judged.shown, model !== undefined || dirty)
  const tab = tabOf(search)
  const discard = () => {
    setDraft(undefined)
    setName(start.name)
    editing.restart(start.root)
  }
  return (
    <Page>
      <EditorHeader model={model} lock={lock} dirty={dirty} />
      {!model && <NameOfNew name={name} error={save.nameError} onChange={setName} />}
      <EditorTabs tab={tab} isNew={!model} onChange={(next) => void change({ tab: next })} />
      <EditorBody
        {...{ tab, model, name, editing, draft, goTo, locked: lock !== undefined }}
        problems={problems}
        onDraft={setDraft}
      />
      {dirty && (
        <Saving
          {...{ model, name, isBroken, judged, save }}
          onProblem={({ path }) => {
            if (tab === 'json') setGoTo({ path })
            else editing.choose([idOfIssue(editing.root, path)])
          }}
          onDiscard={discard}
          onSave={(expected) => save.mutate({ name: name.trim(), root: editing.root, expected })}
        />
      )}
      <LeaveDialog
        dirty={dirty}
        leaving={leaving}
        title={t('models.leaveTitle')}
        verb={t('models.leave')}
      >
        {t('models.leaveText')}
      </LeaveDialog>
    </Page>
  )
}

/** A new model that nobody has touched yet is not told that it is empty. */
const problemsIn = (judged: ReturnType<typeof useJudged>['shown'], begun: boolean) =>
  begun ? (judged?.problems ?? []) : []

const tabOf = (search: Search) => editorTabs.find((each) => each === one(search['tab'])) ?? 'tree'

/** Impact of the tree by the server: `shown` may belong to the tree before, `known` says that it belongs to this one. */
function useJudged(model: Model | undefined, root: ModelFile['root'], name: string) {
  const settled = useSettled(root)
  const { data, isPlaceholderData } = useImpact(model?.id, settled, name)
  return { shown: data, known: settled === root && !isPlaceholderData }
}

type TabsProps = {
  tab: EditorTab
  isNew: boolean
  onChange: (tab: string | undefined) => void
}

function EditorTabs({ tab, isNew, onChange }: TabsProps) {
  const t = useWords()
  const offered = isNew ? editorTabs.slice(0, 2) : editorTabs
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(next) => onChange(next === 'tree' ? undefined : (next ?? undefined))}
    >
      <Tabs.List>
        {offered.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {t(`models.tab.${each}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

type SavingProps = {
  model: Model | undefined
  name: string
  isBroken: boolean
  judged: ReturnType<typeof useJudged>
  save: ReturnType<typeof useSaveModel>
  onProblem: Parameters<typeof SaveBar>[0]['onProblem']
  onDiscard: () => void
  onSave: (expected: string | undefined) => void
}

function Saving({ model, name, isBroken, judged, save, onSave, ...rest }: SavingProps) {
  const t = useWords()
  const [asking, setAsking] = useState(false)
  const { shown, known } = judged
  const impact = isImpact(shown) ? shown : undefined
  const blocked = isBroken
    ? 'models.textFirst'
    : name.trim() === ''
      ? 'models.nameNeeded'
      : undefined
  return (
    <>
      <SaveBar
        {...rest}
        isNew={!model}
        impact={shown}
        known={known}
        blocked={blocked && t(blocked)}
        pending={save.isPending}
        error={asking ? undefined : save.failure}
        onSave={() => (model ? setAsking(true) : onSave(undefined))}
      />
      {asking && impact && (
        <SaveDialog
          name={name}
          impact={impact}
          pending={save.isPending}
          error={save.failure}
          onSave={() => onSave(impact.newest.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

const isImpact = (judged: ReturnType<typeof useJudged>['shown']): judged is Impact =>
  judged !== undefined && 'version' in judged
