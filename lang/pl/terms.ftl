# Słowa, z których składają się zdania.

white = białe
    .gen = białych
    .dat = białym
    .acc = białe
    .ins = białymi
black = czarne
    .gen = czarnych
    .dat = czarnym
    .acc = czarne
    .ins = czarnymi

king = król
    .gen = króla
    .acc = króla
    .ins = królem
    .gender = m
queen = hetman
    .gen = hetmana
    .acc = hetmana
    .ins = hetmanem
    .gender = m
rook = wieża
    .gen = wieży
    .acc = wieżę
    .ins = wieżą
    .gender = f
bishop = goniec
    .gen = gońca
    .acc = gońca
    .ins = gońcem
    .gender = m
knight = skoczek
    .gen = skoczka
    .acc = skoczka
    .ins = skoczkiem
    .gender = m
pawn = pion
    .gen = piona
    .acc = piona
    .ins = pionem
    .gender = m

hours = { $n ->
    [one] { $n } godzina
    [few] { $n } godziny
   *[other] { $n } godzin
}
    .acc = { $n ->
        [one] { $n } godzinę
        [few] { $n } godziny
       *[other] { $n } godzin
    }
    .gen = { $n ->
        [one] { $n } godziny
       *[other] { $n } godzin
    }
minutes = { $n ->
    [one] { $n } minuta
    [few] { $n } minuty
   *[other] { $n } minut
}
    .acc = { $n ->
        [one] { $n } minutę
        [few] { $n } minuty
       *[other] { $n } minut
    }
    .gen = { $n ->
        [one] { $n } minuty
       *[other] { $n } minut
    }
seconds = { $n ->
    [one] { $n } sekunda
    [few] { $n } sekundy
   *[other] { $n } sekund
}
    .acc = { $n ->
        [one] { $n } sekundę
        [few] { $n } sekundy
       *[other] { $n } sekund
    }
    .gen = { $n ->
        [one] { $n } sekundy
       *[other] { $n } sekund
    }
seconds-and-parts = { $n } sekundy
decimal-point = ,

list-and = { $first } i { $last }

date = { $day } { $month } { $year } r.
month-1 = stycznia
month-2 = lutego
month-3 = marca
month-4 = kwietnia
month-5 = maja
month-6 = czerwca
month-7 = lipca
month-8 = sierpnia
month-9 = września
month-10 = października
month-11 = listopada
month-12 = grudnia

guidelines = Wytyczne
title-of = { $kind } ({ $by })
kind-illegal-move = nieprawidłowe posunięcie
kind-flag = opadnięcie chorągiewki
kind-default = spóźnienie ponad dopuszczalny czas
kind-claim-threefold = reklamacja remisu: trzykrotne powtórzenie
kind-claim-fifty-moves = reklamacja remisu: pięćdziesiąt posunięć
kind-claim-flag = reklamacja przekroczenia czasu
kind-claim-illegal-move = reklamacja nieprawidłowego posunięcia
kind-claim-quickplay = reklamacja remisu: szybki finisz
kind-call = wezwanie sędziego
kind-board-disagrees = szachownica niezgodna z zapisem
kind-promotion = nieznana figura po promocji
kind-illegal-position = nieprawidłowa pozycja
kind-colours-reversed = zamienione kolory
kind-wrong-setup = błędna pozycja początkowa
kind-wrong-clock = błędnie ustawiony zegar
kind-device = urządzenie elektroniczne
kind-result-signal = wynik pokazany przy stoliku
kind-late-news = spóźniona wiadomość
kind-adjusted-at-table = czas zmieniony na zegarze
kind-reports-lost = utracone meldunki
kind-clock-time = zegar chodzi niedokładnie
kind-silent-device = brak łączności z urządzeniem
kind-clock-renewed = zegar wymieniony lub uruchomiony od nowa
kind-order-unknown = nieznana kolejność posunięcia i przełączenia zegara
kind-moves-missing = brakuje posunięć
kind-by-hand = partia prowadzona ręcznie

ending-checkmate = mat
ending-stalemate = pat
ending-dead-position = martwa pozycja
ending-flag = przekroczenie czasu
ending-flag-no-mate = przekroczenie czasu, lecz przeciwnik nie może zamatować żadną serią prawidłowych posunięć
ending-illegal-moves = drugie nieprawidłowe posunięcie
ending-illegal-moves-no-mate = drugie nieprawidłowe posunięcie, lecz przeciwnik nie może zamatować żadną serią prawidłowych posunięć
ending-threefold = trzykrotne powtórzenie pozycji
ending-fivefold = pięciokrotne powtórzenie pozycji
ending-fifty-moves = reguła 50 posunięć
ending-seventy-five-moves = reguła 75 posunięć
ending-agreement = uzgodnienie remisu
ending-resignation = poddanie partii
ending-resignation-no-mate = poddanie partii, lecz przeciwnik nie może zamatować żadną serią prawidłowych posunięć
ending-default = niestawienie się na czas
ending-impossible-position = nieprawidłowa pozycja nie została naprawiona
ending-device = urządzenie elektroniczne
ending-penalty = kara
ending-arbiter = decyzja sędziego

category-standard = szachy klasyczne
category-rapid = szachy szybkie
category-blitz = szachy błyskawiczne
