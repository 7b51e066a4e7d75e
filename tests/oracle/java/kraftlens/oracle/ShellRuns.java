package kraftlens.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs of the real kafka-metadata-shell, each in a process of its own. The shell may answer before its
 * image is there, as if nothing were in the file, so one answer alone is not believed.
 */
final class ShellRuns {
    private static final int TRIES = 5;
    private static final int SECONDS = 60;

    private ShellRuns() {
    }

    /**
     * The line of a golden file again: as it was when one of a few runs says the same, else what most of
     * them say.
     */
    static String again(Path file, String goldenLine) throws IOException, InterruptedException {
        JsonNode before = Json.MAPPER.readTree(goldenLine);
        Map<String, Integer> seen = new TreeMap<>();
        for (int attempt = 0; attempt < TRIES; attempt++) {
            ObjectNode answer = run(file, before.get("args"));
            if (answer.equals(before)) {
                return answer.toString();
            }
            seen.merge(answer.toString(), 1, Integer::sum);
        }
        return seen.entrySet().stream().max(Comparator.comparingInt(Map.Entry::getValue)).orElseThrow().getKey();
    }

    private static ObjectNode run(Path file, JsonNode arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dfile.encoding=UTF-8",
            "-XX:TieredStopAtLevel=1", "-cp", Path.of(System.getProperty("oracle.shell"), "*").toString(),
            "org.apache.kafka.shell.MetadataShell", "--snapshot", file.toString()));
        arguments.forEach(argument -> command.add(argument.asText()));
        Process shell = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(ProcessBuilder.Redirect.PIPE).start();
        shell.getOutputStream().close();
        // Some inputs make the shell wait for ever.
        Thread watch = new Thread(() -> {
            try {
                if (!shell.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    shell.destroyForcibly();
                }
            } catch (InterruptedException done) {
                shell.destroyForcibly();
            }
        });
        watch.setDaemon(true);
        watch.start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = shell.waitFor();
        ObjectNode line = Json.object();
        line.set("args", arguments);
        return line.put("stdout", output).put("exit", exit);
    }
}
