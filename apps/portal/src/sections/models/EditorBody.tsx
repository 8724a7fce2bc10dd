import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { idOfIssue, type NodeId } from '../../parts/models/model-tree-rules.ts'
import { Inspector } from './Inspector.tsx'
import { type Draft, JsonPane } from './JsonPane.tsx'
import type { Model, Problem } from './model-calls.ts'
import shared from './models.module.css'
import classes from './EditorBody.module.css'
import { useProblemText } from '../../parts/formulas/problem-text.ts'
import { TreePane } from './TreePane.tsx'
import { Usage } from './Usage.tsx'
import type { ModelEditing } from './use-model-editor.ts'
import { useTreeActions } from './use-tree-actions.ts'
import { VersionsPane } from './VersionsPane.tsx'

export const editorTabs = ['tree', 'json', 'versions', 'usage'] as const
export type EditorTab = (typeof editorTabs)[number]

type Props = {
  tab: EditorTab
  model: Model | undefined
  name: string
  editing: ModelEditing
  locked: boolean
  draft: Draft | undefined
  problems: readonly Problem[]
  /** A problem that somebody wants to see in the text. */
  goTo: { path: string } | undefined
  onDraft: (draft: Draft | undefined) => void
}

/** Content of the chosen tab; the tree and its text are two views of the same model. */
export function EditorBody(props: Props) {
  const { tab, model, editing, locked, draft, problems, goTo, onDraft } = props
  useUndoKeys(editing, tab === 'tree' && !locked)
  if (tab === 'versions') return model ? <VersionsPane model={model} /> : null
  if (tab === 'usage') {
    return model ? (
      <section className={shared.card}>
        <Usage modelId={model.id} />
      </section>
    ) : null
  }
  if (tab === 'tree') return <TreeAndInspector {...props} />
  return (
    <JsonPane
      {...{ root: editing.root, problems, draft, locked, goTo }}
      onChange={(next) => {
        onDraft(next)
        if (next.root) editing.change(next.root, 'json')
      }}
    />
  )
}

function TreeAndInspector({ editing, name, locked, problems, draft, onDraft }: Props) {
  const told = useProblemText()
  const { root, chosen } = editing
  const actions = useTreeActions(editing)
  const byNode = useMemo(() => {
    const found = new Map<NodeId, string[]>()
    for (const problem of problems) {
      const id = idOfIssue(root, problem.path)
      found.set(id, [...(found.get(id) ?? []), told(problem)])
    }
    return found
  }, [problems, root, told])
  const faults = new Map([...byNode].map(([id, words]) => [id, words.join('; ')]))
  // While the text is no JSON, a change of the tree would have to throw it away.
  const isBroken = draft !== undefined && draft.root === undefined
  return (
    <>
      {isBroken && <BrokenNote onDrop={() => onDraft(undefined)} />}
      <div className={classes.editor}>
        <TreePane {...{ editing, actions, locked: locked || isBroken, name, faults }} />
        <Inspector
          editing={editing}
          locked={locked || isBroken}
          named={actions.named}
          problems={chosen.flatMap((id) => byNode.get(id) ?? [])}
        />
      </div>
    </>
  )
}

function BrokenNote({ onDrop }: { onDrop: () => void }) {
  const t = useWords()
  return (
    <div className={shared.note}>
      {t('models.textBroken')}{' '}
      <Button variant="subtle" size="compact-sm" onClick={onDrop}>
        {t('models.dropText')}
      </Button>
    </div>
  )
}

/** Ctrl+Z and Ctrl+Shift+Z, except where somebody types a text that has its own way back. */
function useUndoKeys({ undo, redo }: ModelEditing, on: boolean) {
  useEffect(() => {
    if (!on) return undefined
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea')
      if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      event.preventDefault()
      if (event.shiftKey) redo()
      else undo()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [undo, redo, on])
}
