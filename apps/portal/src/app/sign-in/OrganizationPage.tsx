import { late } from '@longreach/ui/late'
import { TextInput } from '@mantine/core'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { localClientUrl, safeRedirect } from './redirect-rules.ts'
import type { Organization } from '../../parts/session/session.ts'
import type { Choices } from '../start/boot.ts'
import { SignInHeading } from './SignInHeading.tsx'
import { OrganizationCard } from '../switcher/OrganizationCard.tsx'
import classes from './OrganizationPage.module.css'
import { lastUsed, rememberUse } from '../switcher/recent-organizations.ts'
import { SignOutButton } from '../session/SignOutButton.tsx'
import { useOrganizationSearch } from '../switcher/use-organization-search.ts'

const Invitations = late(() => import('../../parts/organizations/Invitations.tsx'), 'Invitations')
const RequestAccess = late(() => import('../shell/RequestAccess.tsx'), 'RequestAccess')

/** The organization selector: one's own organizations, and by search those below them. */
export function OrganizationPage({ choices }: { choices: Choices }) {
  const t = useWords()
  const { organizations, redirectTo, problem } = choices
  const [text, setText] = useState('')
  const [entering, setEntering] = useState<string>()
  const found = useOrganizationSearch(organizations, text)
  const used = lastUsed()
  const shown = found.organizations.toSorted(
    (a, b) => (used[b.resourceId] ?? 0) - (used[a.resourceId] ?? 0),
  )
  const enter = async (organization: Organization) => {
    setEntering(organization.resourceId)
    rememberUse(organization.resourceId)
    const target = safeRedirect(redirectTo, location.origin)
    if (target?.kind === 'local-client') {
      location.assign(localClientUrl(target.url, organization))
      return
    }
    await choices.enter(organization, target?.path ?? '/home')
  }
  return (
    <>
      <SignInHeading title={t('door.selector.title')}>{t('door.selector.text')}</SignInHeading>
      {problem !== undefined && (
        <div className={classes.problem}>
          <ErrorPanel message={t(problem.id, problem.values)} />
          {problem.id === 'door.noPermissions' && problem.values?.['id'] !== undefined && (
            <RequestAccess organization={problem.values['id']} />
          )}
        </div>
      )}
      <Invitations />
      <TextInput
        size="sm"
        className={classes.search}
        aria-label={t('door.selector.search')}
        placeholder={t('door.selector.search')}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        // The one thing to do on this page.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      {found.failed && <ErrorPanel message={t('door.selector.searchFailed')} />}
      <ul className={classes.cards} aria-label={t('door.selector.title')}>
        {shown.map((organization) => (
          <li key={organization.resourceId}>
            <OrganizationCard
              organization={organization}
              usedAt={used[organization.resourceId]}
              pending={entering === organization.resourceId}
              onEnter={() => void enter(organization)}
            />
          </li>
        ))}
      </ul>
      {shown.length === 0 && !found.searching && (
        <EmptyState
          kind={text === '' ? 'forbidden' : 'filtered'}
          title={t(text === '' ? 'door.selector.none' : 'door.selector.noHit')}
          text={text === '' ? t('door.selector.noneText') : undefined}
        />
      )}
      <SignOutButton signOut={choices.signOut} />
    </>
  )
}
