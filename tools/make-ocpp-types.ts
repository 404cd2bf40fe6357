/** Writes src/field/ocpp/messages-v16.ts and messages-v201.ts from the schemas of the Open Charge Alliance. */
import { writeFile } from 'node:fs/promises'
import { OCPP_VERSIONS } from '../src/kernel/ocpp.ts'
import { OCPP_TYPES_FILES, ocppTypesText } from './ocpp-types.ts'

for (const version of OCPP_VERSIONS) await writeFile(OCPP_TYPES_FILES[version], ocppTypesText(version))
