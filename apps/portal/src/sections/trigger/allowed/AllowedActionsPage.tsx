import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../parts/api/api.ts'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { useSession } from '../../../parts/session/session.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { type Blocked, useBlockedActions, useTriggerOrganization } from '../trigger-calls.ts'
import { AllowedKind } from './AllowedKind.tsx'
import classes from './allowed.module.css'
import { kindNames } from './kinds.ts'

/** Page of the kinds of actions that triggers may do in the organization and below it, and of the triggers that each concerns. */
export function Component() {
  const t = useWords()
  const { organization } = useSession()
  const blocked = useBlockedActions()
  const uses = useQuery(query(triggersApi.blockableActions, { query: useTriggerOrganization() }))
  const failed = blocked.error ? blocked : uses
  return (
    <Page>
      <PageHeader
        title={t('trigger-actions.title')}
        trail={<Breadcrumb to="/trigger" section="trigger" />}
        help={t('trigger-actions.help', { organization: organization.label })}
      />
      {blocked.data && uses.data ? (
        <Panel>
          <ul className={classes.kinds}>
            {kindNames.map((kind) => (
              <AllowedKind key={kind} kind={kind} blocked={blocked.data} uses={uses.data[kind]} />
            ))}
          </ul>
          <LastChange blocked={blocked.data} />
        </Panel>
      ) : (
        <ContentPending error={failed.error} refetch={failed.refetch} rows={5} />
      )}
    </Page>
  )
}

/** Person who switched kinds on or off here, and when. */
function LastChange({ blocked: { longreach } }: { blocked: Blocked }) {
  const t = useWords()
  if (longreach.changedAt === null) return null
  return (
    <p className={classes.changed}>
      {t('trigger-actions.changed', { person: longreach.changedBy ?? '' })}{' '}
      <RelativeTime at={longreach.changedAt} />
    </p>
  )
}
