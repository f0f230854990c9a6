import { type DescMessage, fromBinary, type Message, type Registry, toBinary } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';

/**
 * Gives every packed message the type URL that the Cosmos SDK writes (`/cosmos.bank.v1beta1.MsgSend`), also within
 * packed messages; the library writes `type.googleapis.com/…` when it reads JSON.
 */
export function withLedgerUrls(registry: Registry, desc: DescMessage, message: Message): void {
  fix(reflect(desc, message), registry);
}

function fix(message: ReflectMessage, registry: Registry): void {
  if (message.desc.typeName === 'google.protobuf.Any') {
    fixAny(message, registry);
    return;
  }
  for (const field of message.fields) {
    if (field.fieldKind === 'message' && message.isSet(field)) fix(message.get(field), registry);
    else if (field.fieldKind === 'list' && field.message) {
      for (const item of message.get(field)) fix(item as ReflectMessage, registry);
    }
  }
}

function fixAny(any: ReflectMessage, registry: Registry): void {
  const { typeUrl: urlField, value: valueField } = any.desc.field;
  const url = String(any.get(urlField!));
  const name = url.slice(url.lastIndexOf('/') + 1);
  if (name === '') return;
  any.set(urlField!, `/${name}`);
  const desc = registry.getMessage(name);
  if (!desc) return;
  const inner = fromBinary(desc, any.get(valueField!) as Uint8Array);
  fix(reflect(desc, inner), registry);
  any.set(valueField!, toBinary(desc, inner));
}
