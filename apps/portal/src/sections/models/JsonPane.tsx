import { late } from '@longreach/ui/late'
import { offsetOf, readJson } from '@longreach/kit/json-places'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { isModelNode, type ModelNode } from '../../parts/models/model-tree-rules.ts'
import type { Problem } from './model-calls.ts'
import classes from './models.module.css'
import { useProblemText } from '../../parts/formulas/problem-text.ts'

const JsonEditor = late(() => import('./JsonEditor.tsx'), 'JsonEditor', <RowsSkeleton />)

/** A text as it is typed, with the tree that it means; without one, it is no JSON yet. */
export type Draft = { text: string; root: ModelNode | undefined }

type Props = {
  root: ModelNode
  /** Of the tree as it is; shown where the text has them. */
  problems: readonly Problem[]
  draft: Draft | undefined
  locked: boolean
  goTo: { path: string } | undefined
  onChange: (draft: Draft) => void
}

/** The tree as text: what is typed is the tree as soon as it is JSON. */
export function JsonPane({ root, problems, draft, locked, goTo, onChange }: Props) {
  const t = useWords()
  const told = useProblemText()
  const kept = useMemo(() => formatModelJson(root), [root])
  // A text stays as it is typed while it means the tree; after a change elsewhere it is written anew.
  const typed = draft && (draft.root === undefined || draft.root === root) ? draft.text : undefined
  const text = typed ?? kept
  const { places, mistakes } = useMemo(() => readJson(text), [text])
  const shown = useMemo(
    () => [
      ...mistakes.map((mistake) => ({
        offset: mistake.offset,
        message: told({ ...mistake, rule: `json.${mistake.rule}` }),
      })),
      ...(mistakes.length > 0 ? [] : problems).map((problem) => ({
        offset: offsetOf(places, problem.path),
        message: told(problem),
      })),
    ],
    [places, mistakes, problems, told],
  )
  const target = useMemo(() => goTo && { offset: offsetOf(places, goTo.path) }, [goTo, places])
  return (
    <section className={classes.pane} aria-label={t('models.tab.json')}>
      <JsonEditor
        label={t('models.jsonOf')}
        text={text}
        problems={shown}
        readOnly={locked}
        goTo={target}
        onChange={(next) => {
          if (next !== text) onChange({ text: next, root: treeOf(next) })
        }}
      />
    </section>
  )
}

const formatModelJson = (root: ModelNode) => JSON.stringify(root, null, 2)

function treeOf(text: string): ModelNode | undefined {
  const { value, mistakes } = readJson(text)
  return mistakes.length === 0 && isModelNode(value) ? value : undefined
}
