import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useSession } from '../../parts/session/session.ts'
import { UserAccess } from '../../parts/access/UserAccess.tsx'
import classes from './account.module.css'

/** Rights of the person in the current organization, and the roles and groups that give them. */
export function MyRights() {
  const t = useWords()
  const { organization } = useSession()
  return (
    <Panel title={t('account.myRights', { organization: organization.label })}>
      <div className={classes.form}>
        <UserAccess user="me" />
      </div>
    </Panel>
  )
}
