import type { DescFile } from '@bufbuild/protobuf';
import type { DescriptorProto, FileDescriptorProto } from '@bufbuild/protobuf/wkt';

/** Field numbers in a FileDescriptorProto and a DescriptorProto, of which a comment's path is made. */
const PATH = { messages: 4, nested: 3, fields: 2, services: 6, methods: 2 } as const;

/** The comments above messages, fields and methods, by the descriptor they stand above. */
export function readComments(files: Iterable<DescFile>): (proto: object) => string {
  const comments = new Map<object, string>();
  for (const { proto } of files) {
    const byPath = pathsOf(proto);
    const note = (node: object, path: readonly number[]): void => {
      const text = byPath.get(path.join('.'));
      if (text) comments.set(node, text);
    };
    proto.messageType.forEach((message, i) => {
      walkMessage(message, [PATH.messages, i], note);
    });
    proto.service.forEach((service, i) => {
      service.method.forEach((method, j) => {
        note(method, [PATH.services, i, PATH.methods, j]);
      });
    });
  }
  return (proto) => comments.get(proto) ?? '';
}

function pathsOf({ sourceCodeInfo }: FileDescriptorProto): Map<string, string> {
  const locations = sourceCodeInfo?.location ?? [];
  return new Map(locations.map(({ path, leadingComments }) => [path.join('.'), oneLine(leadingComments)]));
}

function walkMessage(
  message: DescriptorProto,
  path: readonly number[],
  note: (node: object, path: readonly number[]) => void,
): void {
  note(message, path);
  message.field.forEach((field, i) => {
    note(field, [...path, PATH.fields, i]);
  });
  message.nestedType.forEach((nested, i) => {
    walkMessage(nested, [...path, PATH.nested, i], note);
  });
}

function oneLine(comment: string): string {
  return comment.replaceAll(/\s+/g, ' ').trim();
}
