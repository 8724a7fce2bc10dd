import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { amountNames } from './amounts.ts'
import { resourcesQuery, useChosen } from './organization-calls.ts'
import classes from './organizations.module.css'
import { SectionTabs } from './SectionTabs.tsx'

/** Page of the current use of each kind of resource, in the organization alone or with all below it. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const org = useChosen()
  const [search, change] = useSearch()
  const below = one(search['includeSubOrgs']) !== 'false'
  const { data, error, refetch } = useQuery(resourcesQuery(org))
  const amounts = below ? data?.total : data?.own
  return (
    <Page>
      <PageHeader
        title={t('shell.section.organizations')}
        help={t('organizations.consumptionsHelp', { org })}
      />
      <SectionTabs />
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={4} />}
      {amounts && (
        <Panel
          title={t('organizations.now')}
          beside={
            <Checkbox
              label={t('organizations.includeBelow')}
              checked={below}
              onChange={(event) =>
                void change({ includeSubOrgs: event.currentTarget.checked ? undefined : 'false' })
              }
            />
          }
        >
          <dl className={classes.figures}>
            {amountNames.map((name) => (
              <div key={name}>
                <dt>{t(`organizations.count.${name}`)}</dt>
                <dd>{intl.formatNumber(amounts[name])}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
    </Page>
  )
}
