import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Alert, FileInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Result } from '@longreach/kit/contract'
import type { alarmsContract } from '@longreach/alarms/contract'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { missingScopes, rulesInFile } from './import-file.ts'
import { ImportModels } from './ImportModels.tsx'
import { renewRules, useRuleOrganization } from './rule-calls.ts'
import { classes } from './rule-classes.ts'
import { useIssueText } from './use-rule-faults.ts'

type Outcome = Result<(typeof alarmsContract)['endpoints']['importRules']>['data'][number]
type Rules = NonNullable<ReturnType<typeof rulesInFile>>

/** Dialog that takes rules of a file: first what it would change and what does not fit, then all of it or nothing. */
export function ImportRulesDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const [file, setFile] = useState<File | null>(null)
  const [rules, setRules] = useState<Rules>()
  const [isTried, setTried] = useState(false)
  const choose = async (chosen: File | null) => {
    setRules(undefined)
    setTried(false)
    setFile(chosen)
    if (chosen) setRules(rulesInFile(await chosen.text()))
  }
  const trial = useTrialImport(rules)
  const { isWrong, changes } = summaryOf(trial.data?.data)
  const run = useRuleImport(changes, onClose)
  const error = trial.error ?? run.error
  const refusal = isTried && isWrong ? t('rule-tools.mendFirst') : undefined
  const isOther = file !== null && rules === undefined
  return (
    <FormDialog
      title={t('rule-tools.import')}
      verb={t('rule-tools.importNow', { count: changes })}
      pending={run.isPending || trial.isFetching}
      error={error ? errorText(error).message : refusal}
      onSubmit={() => {
        setTried(true)
        if (rules !== undefined && trial.data && !isWrong) run.mutate(rules)
      }}
      onClose={onClose}
    >
      <p className={classes.help}>{t('rule-tools.importHelp')}</p>
      <FileInput
        label={t('rule-tools.file')}
        accept="application/json,.json"
        value={file}
        error={isOther && t('rule-tools.notRules')}
        onChange={(chosen) => void choose(chosen)}
      />
      {trial.data && rules && (
        <ImportModels outcomes={trial.data.data} {...{ rules }} onRules={setRules} />
      )}
      {trial.data && <ImportOutcomes outcomes={trial.data.data} />}
    </FormDialog>
  )
}

/** Number of rules that an import creates or changes, and whether one does not fit. */
const summaryOf = (outcomes: readonly Outcome[] = []) => ({
  changes: outcomes.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length,
  isWrong: outcomes.some(({ outcome }) => outcome === 'invalid'),
})

/** Import itself, after which the dialog closes. */
function useRuleImport(changes: number, onClose: () => void) {
  const t = useWords()
  const toast = useToast()
  const query = useRuleOrganization()
  return useMutation({
    mutationFn: (posted: Rules) =>
      alarmsApi.importRules({ query: { ...query, dryRun: 'false' }, body: { rules: posted } }),
    onSuccess: () => {
      renewRules()
      toast({ message: t('rule-tools.imported', { count: changes }) })
      onClose()
    },
  })
}

/** Outcome of an import as the server says it, without importing. */
function useTrialImport(rules: Rules | undefined) {
  const query = useRuleOrganization()
  return useQuery({
    queryKey: [alarmsApi.importRules.key, query, rules],
    queryFn: ({ signal }) =>
      alarmsApi.importRules(
        { query: { ...query, dryRun: 'true' }, body: { rules: rules ?? [] } },
        { signal },
      ),
    enabled: rules !== undefined,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

function ImportOutcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  const t = useWords()
  const textOf = useIssueText()
  const missing = missingScopes(outcomes)
  return (
    <div role="status" className={classes.fields}>
      {missing.length > 0 && (
        <Alert color="red" title={t('rule-tools.missing')}>
          {missing.join(', ')}
        </Alert>
      )}
      <ul className={classes.outcomes}>
        {outcomes.map(({ name, outcome, issues }, index) => (
          // Two rules of a file may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <b>{name || t('rule-tools.nameless')}</b>{' '}
            <span className={outcome === 'invalid' ? classes.fault : classes.dim}>
              {t(`rule-tools.outcome.${outcome}`)}
            </span>
            {issues.map((issue) => (
              <p key={`${issue.place} ${issue.code}`} className={classes.fault}>
                {issue.place}: {textOf(issue)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
