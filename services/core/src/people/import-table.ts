import { plainHeader } from '@longreach/kit/table-text'
import type { ImportField } from './import-contract.ts'

/** Usual names of columns, in the languages of the portal and of exports of other systems. */
const names: Record<ImportField, readonly string[]> = {
  username:
    'username user login loginname userid account benutzername benutzer anmeldename usuario nombredeusuario utilisateur nomdutilisateur identifiant nomeutente utente'.split(
      ' ',
    ),
  email:
    'email mail emailaddress mailadresse emailadresse correo correoelectronico courriel adressemail adresseemail indirizzoemail posta'.split(
      ' ',
    ),
  firstName: 'firstname givenname forename vorname nombre prenom nome'.split(' '),
  lastName:
    'lastname surname familyname nachname name familienname apellido apellidos nom nomdefamille cognome'.split(
      ' ',
    ),
  groups: 'groups group gruppen gruppe grupos grupo groupes groupe gruppi gruppo memberof'.split(
    ' ',
  ),
  adminGroups:
    'admingroups admingroup administratorof adminof gruppenadministrator verwaltetegruppen gruposadministrados groupesadministres gruppiamministrati'.split(
      ' ',
    ),
  roles: 'roles role rollen rolle rol ruoli ruolo'.split(' '),
}

/** Header of the column of each field: as the caller says, else found by its name. */
export function mappingOf(
  headers: readonly string[],
  said: Partial<Record<ImportField, string>> = {},
): Partial<Record<ImportField, string>> {
  const taken = new Set(Object.values(said))
  const found = (Object.keys(names) as ImportField[]).flatMap((field) => {
    const header =
      said[field] ??
      headers.find((one) => !taken.has(one) && names[field].includes(plainHeader(one)))
    return header !== undefined && headers.includes(header) ? [[field, header] as const] : []
  })
  return Object.fromEntries(found)
}
