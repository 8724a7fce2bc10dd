import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import classes from './organizations.module.css'

/** The people of an organization who have no second factor yet. */
export function PeopleWithoutFactor({ org }: { org: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const { data, error, refetch } = useQuery(
    query(api.core.peopleWithoutFactor, { params: { org } }),
  )
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div>
      <p className={classes.hint}>{t('organizations.withoutFactor', { count: data.total })}</p>
      <ul className={classes.list} aria-label={t('organizations.withoutFactorList')}>
        {data.people.map(({ id, username, email }) => (
          <li key={id} className={classes.row}>
            <span>{username}</span>
            <span className={classes.hint}>{email}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
