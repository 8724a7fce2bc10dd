import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button } from '@mantine/core'
import { IconDoorEnter, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { toggleFavorite, useFavorites } from '../../parts/organizations/favorite-organizations.ts'
import { type Organization, useMay, useSession } from '../../parts/session/session.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import classes from './OrganizationActions.module.css'
import { parentOf } from './organization-calls.ts'

const DeleteOrganizationDialog = late(
  () => import('./DeleteOrganizationDialog.tsx'),
  'DeleteOrganizationDialog',
)

const ShelveButton = late(
  () => withWords(import('../../parts/alarms/ShelveButton.tsx'), 'alarm-shelves'),
  'ShelveButton',
)

type Props = { organization: Organization; onGone: (org: string) => void }

/** Enter the organization, or delete it; what may not be done says why. */
export function OrganizationActions({ organization, onGone }: Props) {
  const t = useWords()
  const session = useSession()
  const may = useMay()
  const [deleting, setDeleting] = useState(false)
  const { resourceId } = organization
  const here = session.organization.resourceId === resourceId
  const reason = here
    ? t(
        parentOf(resourceId) === undefined
          ? 'organizations.rootStays'
          : 'organizations.notFromInside',
      )
    : may('organizations:delete')
      ? undefined
      : t('organizations.mayNotDelete')
  return (
    <div className={classes.actions}>
      <Favorite organization={organization} />
      {!here && (
        <Button
          variant="default"
          leftSection={<IconDoorEnter size={16} stroke={1.6} />}
          onClick={() => void session.enter(resourceId, '/home')}
        >
          {t('organizations.enter')}
        </Button>
      )}
      <ShelveButton about={{ type: 'organization', id: resourceId, name: organization.label }} />
      <ActionButton
        reason={reason}
        variant="default"
        leftSection={<IconTrash size={16} stroke={1.6} />}
        onClick={() => setDeleting(true)}
      >
        {t('organizations.delete')}
      </ActionButton>
      {deleting && (
        <DeleteOrganizationDialog
          organization={organization}
          onClose={() => setDeleting(false)}
          onDeleted={() => onGone(parentOf(resourceId) ?? session.organization.resourceId)}
        />
      )}
    </div>
  )
}

/** Favorites stand first where one switches the organization. */
function Favorite({ organization }: { organization: Organization }) {
  const t = useWords()
  const marked = useFavorites().some(({ id }) => id === organization.id)
  const Icon = marked ? IconStarFilled : IconStar
  return (
    <ActionIcon
      size={32}
      aria-label={t('organizations.favorite')}
      aria-pressed={marked}
      onClick={() => toggleFavorite(organization)}
    >
      <Icon size={17} stroke={1.6} />
    </ActionIcon>
  )
}
