import { AppError } from '@longreach/kit/errors'
import type { Rule } from '@longreach/rules/rule'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { fieldPlaces } from './field-places.ts'
import { LeaveDialog } from '../../../parts/pages/LeaveDialog.tsx'
import { QuickParts } from './QuickParts.tsx'
import {
  type Issue,
  renewRules,
  ruleOf,
  type StoredRule,
  useRuleOrganization,
} from './rule-calls.ts'
import { RuleContext } from './rule-context.ts'
import { withAt } from '../../../parts/forms/draft-places.ts'
import { RuleForm } from './RuleForm.tsx'
import { RuleOverrides } from './RuleOverrides.tsx'
import { RuleState } from './RuleState.tsx'
import { RuleTrial } from './RuleTrial.tsx'
import { RuleVersions } from './RuleVersions.tsx'
import { classes } from './rule-classes.ts'
import { SentenceEditor } from './SentenceEditor.tsx'
import { useFaultTexts, useRuleFaults } from './use-rule-faults.ts'
import { useRulePaths } from './use-rule-paths.ts'

/** Service whose error codes begin with its name. */
const service = 'alarms'

type Draft = { rule: Rule; below: boolean }
type Props = {
  /** Absent: a new rule. */
  stored?: StoredRule
  start: Draft
  /** Draft that the editor begins with: `start`, or a changed one. */
  proposed: Draft
  locked: boolean
}

/** Editor of a rule: its sentence, whose words are fields, a form with every field, and its versions. */
export function RuleEditor({ stored, start, proposed, locked }: Props) {
  const t = useWords()
  const [draft, setDraft] = useState(proposed)
  const { rule, below } = draft
  const isDirty = JSON.stringify(draft) !== JSON.stringify(start)
  const leaving = useRef(false)
  const id = stored?.id
  const faults = useRuleFaults(rule, id)
  const places = useMemo(() => fieldPlaces(rule), [rule])
  // A rule that nobody has touched is not wrong yet.
  const { faultOf, choicesOf, others } = useFaultTexts(isDirty ? faults.wrong : none, places)
  const paths = useRulePaths(rule.scope)
  const isSaveable = !locked && (isDirty || stored === undefined)
  const edit = (change: (before: Rule) => Rule) =>
    setDraft((before) => ({ ...before, rule: change(before.rule) }))
  const editing = {
    rule,
    edit,
    set: (place: string, value: unknown) => edit((before) => withAt(before, place, value)),
    faultOf,
    choicesOf,
    modelOwner: modelOwnerOf(stored, rule),
    paths,
    below,
    setBelow: (next: boolean) => setDraft((before) => ({ ...before, below: next })),
    locked,
  }
  return (
    <RuleContext value={editing}>
      <Panel>
        <SentenceEditor />
        {!locked && <QuickParts />}
        {others.length > 0 && <ErrorPanel message={others.join(' ')} />}
      </Panel>
      <div className={classes.editor}>
        <RuleForm />
        <div className={classes.side}>
          <RuleTrial ruleId={id} />
          {stored ? <OfStored stored={stored} locked={locked} /> : <FirstHelp />}
        </div>
      </div>
      {isSaveable && (
        <SaveRule
          {...{ stored, draft }}
          onLeaving={(is) => {
            leaving.current = is
          }}
          issues={faults.isSettled ? faults.issues : undefined}
          onDiscard={stored && (() => setDraft(start))}
        />
      )}
      <LeaveDialog
        dirty={isDirty && !locked}
        leaving={leaving}
        title={t('alarm-rules.leaveTitle')}
        verb={t('alarm-rules.leave')}
      >
        {t('alarm-rules.leaveText')}
      </LeaveDialog>
    </RuleContext>
  )
}

/** Organization of the model of a stored rule while it is still chosen, if the rule's is another. */
function modelOwnerOf(stored: StoredRule | undefined, rule: Rule) {
  if (stored === undefined) return undefined
  const { modelOrganization, orgResourceId } = stored
  const before = ruleOf(stored).scope
  const isSame = JSON.stringify(before) === JSON.stringify(rule.scope)
  if (!isSame || modelOrganization === null || modelOrganization === orgResourceId) return undefined
  return modelOrganization
}

/** Devices that differ, and versions, of a rule that is stored. */
function OfStored(props: { stored: StoredRule; locked: boolean }) {
  return (
    <>
      <RuleOverrides {...props} />
      <RuleVersions {...props} />
    </>
  )
}

/** Explanation of rules beside a new one. */
function FirstHelp() {
  const t = useWords()
  return (
    <Panel title={t('alarm-rules.firstTitle')}>
      <p className={classes.note}>{t('alarm-rules.firstText')}</p>
    </Panel>
  )
}

const none: readonly never[] = []

type SaveProps = {
  stored: StoredRule | undefined
  draft: Draft
  /** The page goes on by itself after saving. */
  onLeaving: (is: boolean) => void
  /** Faults; undefined while they are not known. */
  issues: readonly Issue[] | undefined
  onDiscard: (() => void) | undefined
}

/** Bar that saves the rule, and says what keeps it from being saved. */
function SaveRule({ stored, draft, onLeaving, issues, onDiscard }: SaveProps) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const here = useRuleOrganization()
  const save = useMutation({
    mutationFn: () =>
      stored
        ? alarmsApi.replaceRule({
            params: { id: stored.id },
            query: { ...here, version: stored.version },
            body: draft,
          })
        : alarmsApi.createRule({ query: here, body: draft }),
    onSuccess: async (saved) => {
      onLeaving(true)
      renewRules()
      toast({ message: t('alarm-rules.saved', { name: ruleOf(saved).name }) })
      await navigate(linkTo('/alarms/rules/$ruleId', { params: { ruleId: saved.id } }))
      onLeaving(false)
    },
  })
  const isStale = save.error instanceof AppError && save.error.code === `${service}.rule_changed`
  return (
    <>
      {save.error && (
        <ErrorPanel {...errorText(save.error)} {...(isStale && { onRetry: renewRules })} />
      )}
      <div className={classes.saveBar}>
        <span role="status" className={classes.saveText}>
          <RuleState rule={draft.rule} issues={issues} />
        </span>
        {onDiscard && (
          <Button variant="default" onClick={onDiscard}>
            {t('alarm-rules.discard')}
          </Button>
        )}
        <Button
          loading={save.isPending}
          disabled={issues?.length !== 0}
          onClick={() => save.mutate()}
        >
          {t(stored ? 'alarm-rules.save' : 'alarm-rules.create')}
        </Button>
      </div>
    </>
  )
}
