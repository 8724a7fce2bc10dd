import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type Amounts, amountNames } from './amounts.ts'
import { resourcesQuery, useChosen } from './organization-calls.ts'
import classes from './ResourcesPage.module.css'
import { SectionTabs } from './SectionTabs.tsx'

/** Page of the amounts of resources in the organization and in each one below it. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const org = useChosen()
  const { data, error, refetch } = useQuery(resourcesQuery(org))
  return (
    <Page>
      <PageHeader
        title={t('shell.section.organizations')}
        help={t('organizations.resourcesHelp', { org })}
      />
      <SectionTabs />
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={6} />}
      {data && (
        <Panel>
          <div className={classes.wide}>
            <table className={classes.amounts}>
              <Head first={t('organizations.organization')} />
              <tbody>
                <Row name={t('organizations.itself')} amounts={data.own} />
                {data.below.map(({ id, resourceId, label, ...amounts }) => (
                  <Row
                    key={id}
                    name={
                      <Anchor
                        inherit
                        renderRoot={(props) => (
                          <Link
                            to="/organizations/resources"
                            search={{ at: resourceId }}
                            {...props}
                          />
                        )}
                      >
                        {label}
                      </Anchor>
                    }
                    amounts={amounts}
                  />
                ))}
                <Row name={<strong>{t('organizations.sum')}</strong>} amounts={data.total} />
              </tbody>
            </table>
          </div>
        </Panel>
      )}
    </Page>
  )
}

function Head({ first }: { first: string }) {
  const t = useWords()
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {amountNames.map((name) => (
          <th key={name} scope="col">
            {t(`organizations.count.${name}`)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Row({ name, amounts }: { name: ReactNode; amounts: Amounts }) {
  const intl = useIntl()
  return (
    <tr>
      <th scope="row">{name}</th>
      {amountNames.map((one) => (
        <td key={one}>{intl.formatNumber(amounts[one])}</td>
      ))}
    </tr>
  )
}
