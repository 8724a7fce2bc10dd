import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../parts/session/session.ts'
import { RequestAccess } from './RequestAccess.tsx'

/** For a page that asks for a role which the person's token does not hold. */
export function UnauthorizedPage() {
  const t = useWords()
  const { organization, username } = useSession()
  const name = organization.label || organization.name
  return (
    <Page>
      <PageHeader title={t('shell.unauthorized.title')} />
      <Panel>
        <EmptyState
          kind="forbidden"
          title={t('shell.unauthorized.what', { username })}
          text={t('shell.unauthorized.text', { name })}
          action={
            <Group justify="center">
              <RequestAccess
                organization={organization.resourceId}
                note={t('shell.unauthorized.what', { username })}
              />
              <Button component={Link} to="/home">
                {t('shell.notFound.home')}
              </Button>
            </Group>
          }
        />
      </Panel>
    </Page>
  )
}
