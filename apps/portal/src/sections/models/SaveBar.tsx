import { ActionButton } from '@longreach/ui/ActionButton'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import type { Impact, Problem } from './model-calls.ts'
import shared from './models.module.css'
import classes from './SaveBar.module.css'
import { useProblemText } from '../../parts/formulas/problem-text.ts'

type Props = {
  isNew: boolean
  impact: (Partial<Impact> & { problems: readonly Problem[] }) | undefined
  /** Is that about the tree as it is now? */
  known: boolean
  /** Why it cannot be saved now, beside the problems. */
  blocked: string | undefined
  pending: boolean
  error: string | undefined
  onProblem: (problem: Problem) => void
  onDiscard: () => void
  onSave: () => void
}

/** Bar with the problems of unsaved changes, the version that they would become, and the buttons to save or discard them. */
export function SaveBar(props: Props) {
  const { isNew, impact, known, blocked, pending, error, onProblem, onDiscard, onSave } = props
  const t = useWords()
  const told = useProblemText()
  const problems = impact?.problems ?? []
  const reason = problems.length > 0 ? t('models.problemsFirst') : blocked
  const ready = known && impact !== undefined && reason === undefined && impact.change !== 'none'
  return (
    <div className={classes.saveBar}>
      {error !== undefined && <ErrorPanel message={error} />}
      {problems.length > 0 && (
        <ul className={shared.problems} aria-label={t('models.problems')}>
          {problems.slice(0, 5).map((problem) => (
            <li key={`${problem.path} ${problem.message}`}>
              <button type="button" className={classes.problem} onClick={() => onProblem(problem)}>
                <code>{problem.path}</code> {told(problem)}
              </button>
            </li>
          ))}
          {problems.length > 5 && (
            <li>{t('models.moreProblems', { count: problems.length - 5 })}</li>
          )}
        </ul>
      )}
      <div className={classes.saveLine}>
        <span role="status" className={classes.saveText}>
          <strong>{t('models.unsaved')}</strong>
          <Meaning isNew={isNew} impact={impact} />
        </span>
        <Button variant="default" onClick={onDiscard}>
          {t('models.discard')}
        </Button>
        <ActionButton reason={reason} idle={!ready} loading={pending} onClick={onSave}>
          {t(isNew ? 'models.create' : 'models.save')}
        </ActionButton>
      </div>
    </div>
  )
}

function Meaning({ isNew, impact }: Pick<Props, 'isNew' | 'impact'>) {
  const t = useWords()
  if (isNew || !impact?.change || !impact.version || impact.problems.length > 0) return null
  if (impact.change === 'none') return <span>{t('models.nothingChanged')}</span>
  return (
    <>
      <Tag tone={impact.change === 'major' ? 'alarm' : 'info'}>{impact.version}</Tag>
      <span>{t('models.changesCount', { count: impact.changes?.length ?? 0 })}</span>
    </>
  )
}
