import { Button } from '@mantine/core'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useSession } from '../../parts/session/session.ts'
import { UserAccess } from '../../parts/access/UserAccess.tsx'

/** The last resort of /home: what this person may do here, and whom to ask for more. */
export function DirectAccessPage() {
  const t = useWords()
  const { organization, permissions, choices, username, choose } = useSession()
  const name = organization.label || organization.name
  return (
    <Page>
      <PageHeader title={t('directaccess.title')} />
      <Panel>
        <EmptyState
          kind={organization.dataEnabled || organization.vpnEnabled ? 'forbidden' : 'disabled'}
          title={t('directaccess.nothing', { name })}
          text={t('directaccess.ask', { name, username })}
          action={
            choices > 1 ? (
              <Button variant="default" onClick={choose}>
                {t('directaccess.other')}
              </Button>
            ) : undefined
          }
        />
      </Panel>
      {permissions.size > 0 && (
        <Panel title={t('directaccess.permissions')}>
          <UserAccess user="me" />
        </Panel>
      )}
    </Page>
  )
}
