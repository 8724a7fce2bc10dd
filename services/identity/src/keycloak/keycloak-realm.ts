import { readFileSync } from 'node:fs'
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'

type RealmRepresentation = NonNullable<Parameters<KeycloakAdminClient['realms']['create']>[0]>
type Wish = { realm: string; label: string; origin: string }

const file = new URL('../../keycloak/realm.json', import.meta.url)

/** Realm representation from the file that operators may import, with its placeholders filled in. */
export function realmTemplate({ realm, label, origin }: Wish): RealmRepresentation {
  const values: Record<string, string> = { REALM: realm, LABEL: label, ORIGIN: origin }
  const text = readFileSync(file, 'utf8').replace(
    /\$\{(REALM|LABEL|ORIGIN)\}/g,
    (_, name: string) =>
      // Escaped as inside a JSON string, without its quotes.
      JSON.stringify(values[name] ?? '').slice(1, -1),
  )
  return JSON.parse(text) as RealmRepresentation
}
